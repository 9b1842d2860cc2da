// Package junit writes a run in the XML that Jenkins, GitLab and most others take for
// the results of tests.
//
// There is no standard, only readers. What they agree on is what gotestsum writes as
// well: testsuites, testsuite, testcase, and in it a failure, an error or a skipped. The
// properties of a test case, which hold what an attempt was judged by, are read by
// Jenkins' junit plugin and by pytest's users, and passed over by the others; the types
// of go-junit-report have none, which is why these are our own.
//
// GitLab and Jenkins know a test by the name of its class and its own: both are the
// same in every run. Text that an agent had a hand in is made inert, which leaves no
// character in it that XML does not have.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"

	"github.com/deeds-evals/deeds/internal/inert"
)

// A Report is one file.
type Report struct {
	Name   string
	Suites []Suite
}

// A Suite is what one package played of one model.
type Suite struct {
	Name       string
	Started    time.Time // the zero time is not written
	Properties []Property
	Cases      []Case
}

// A Property is a fact with a name.
type Property struct{ Name, Value string }

// A Case is one attempt.
type Case struct {
	Class, Name string
	File        string // from the root of the repository
	Took        time.Duration
	Properties  []Property
	Result      Result
}

// A Result says how a case ended. The zero value says that it passed.
type Result struct {
	Outcome Outcome
	Message string // one line
	Type    string // fail, or the typed reason of a void
	Text    string
}

// An Outcome is one of the four that the format has.
type Outcome int

// The outcomes. A void is an error: something other than the agent broke. What was not
// run is skipped.
const (
	Passed Outcome = iota
	Failed
	Errored
	Skipped
)

// The document as it is written: its order is that of the elements.
type (
	xmlReport struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Time     string   `xml:"time,attr"`
		Suites   []xmlSuite
	}
	xmlSuite struct {
		XMLName    xml.Name       `xml:"testsuite"`
		Name       string         `xml:"name,attr"`
		Tests      int            `xml:"tests,attr"`
		Failures   int            `xml:"failures,attr"`
		Errors     int            `xml:"errors,attr"`
		Skipped    int            `xml:"skipped,attr"`
		Time       string         `xml:"time,attr"`
		Timestamp  string         `xml:"timestamp,attr,omitempty"`
		Properties *xmlProperties `xml:"properties"`
		Cases      []xmlCase      `xml:"testcase"`
	}
	xmlProperties struct {
		All []xmlProperty `xml:"property"`
	}
	xmlProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	xmlCase struct {
		Class      string         `xml:"classname,attr"`
		Name       string         `xml:"name,attr"`
		File       string         `xml:"file,attr,omitempty"`
		Time       string         `xml:"time,attr"`
		Properties *xmlProperties `xml:"properties"`
		Skipped    *xmlResult     `xml:"skipped"`
		Error      *xmlResult     `xml:"error"`
		Failure    *xmlResult     `xml:"failure"`
	}
	xmlResult struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",cdata"`
	}
)

// Write writes the report.
func (r Report) Write(w io.Writer) error {
	doc := xmlReport{Name: inert.Line(r.Name)}
	var took time.Duration
	for _, s := range r.Suites {
		x, t := s.xml()
		doc.Suites = append(doc.Suites, x)
		doc.Tests, doc.Failures, doc.Errors, doc.Skipped = doc.Tests+x.Tests, doc.Failures+x.Failures, doc.Errors+x.Errors, doc.Skipped+x.Skipped
		took += t
	}
	doc.Time = seconds(took)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s Suite) xml() (x xmlSuite, took time.Duration) {
	x = xmlSuite{Name: inert.Line(s.Name), Tests: len(s.Cases), Properties: properties(s.Properties)}
	if !s.Started.IsZero() {
		x.Timestamp = s.Started.UTC().Format("2006-01-02T15:04:05")
	}
	for _, c := range s.Cases {
		x.Cases = append(x.Cases, c.xml())
		took += c.Took
		switch c.Result.Outcome {
		case Failed:
			x.Failures++
		case Errored:
			x.Errors++
		case Skipped:
			x.Skipped++
		}
	}
	x.Time = seconds(took)
	return x, took
}

func (c Case) xml() xmlCase {
	x := xmlCase{
		Class: inert.Line(c.Class), Name: inert.Line(c.Name), File: inert.Line(c.File), Time: seconds(c.Took),
		Properties: properties(c.Properties),
	}
	r := &xmlResult{Message: inert.Line(c.Result.Message), Type: inert.Line(c.Result.Type), Text: inert.Text(c.Result.Text)}
	switch c.Result.Outcome {
	case Failed:
		x.Failure = r
	case Errored:
		x.Error = r
	case Skipped:
		x.Skipped = r
	}
	return x
}

// properties is nil where there are none: an empty element is no element of the format.
func properties(all []Property) *xmlProperties {
	if len(all) == 0 {
		return nil
	}
	x := &xmlProperties{}
	for _, p := range all {
		x.All = append(x.All, xmlProperty{inert.Line(p.Name), inert.Line(p.Value)})
	}
	return x
}

// seconds writes a duration as the readers take it, without an exponent.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
