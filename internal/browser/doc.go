// Package browser tests the report of a run in the browser that people read it in: a
// headless Chromium. It is a module of its own, so that nobody who imports Deeds has to
// carry what drives one.
package browser
