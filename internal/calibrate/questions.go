package main

// questions are what is asked of the statistics, in the order of the page.
var questions = []func(*lab) ([]section, error){
	alarms, coverage, power, consistent, noise, guards, gates, ranks,
}
