package frontmatter

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	values, body, err := Parse("\uFEFF---\r\nname: tides\r\nalways: true\r\narguments: [port, day]\r\nnothing:\r\n---\r\n\r\nThe body.\r\n---\r\n")
	require.NoError(t, err)
	require.Equal(t, "The body.\n---", body)

	text, plain := values["name"].Text()
	require.True(t, plain)
	require.Equal(t, "tides", text)
	require.Equal(t, 2, values["name"].Line())

	yes, isBool := values["always"].Bool()
	require.True(t, yes && isBool)
	_, isBool = values["name"].Bool()
	require.False(t, isBool)

	list, isList := values["arguments"].List()
	require.True(t, isList)
	require.Len(t, list, 2)
	first, _ := list[0].Text()
	require.Equal(t, "port", first)
	_, isList = values["name"].List()
	require.False(t, isList)
	_, plain = values["arguments"].Text()
	require.False(t, plain)
	require.True(t, values["nothing"].Empty())
}

func TestMistakesAreToldWithTheirLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"just text\n":    "line 1: the file must begin with front matter",
		"---\nname: x\n": "line 1: the front matter has no end",
		"---\nname: x\ndescription: Use when: y\n---\n": `line 3: the value of description holds a colon, which begins another value in YAML; put the value in quotes: description: "Use when: y"`,
		"---\nname: x\nname: y\n---\n":                  "line 3: name is there twice",
		"---\n- a\n- b\n---\n":                          "line 2: the front matter must be lines of the form key: value",
		"---\na:\n\tb: c\n---\n":                        "line 3: YAML is indented with blanks",
		"---\na: @b\n---\n":                             "line 2: the value of a begins with @",
		"---\na: \"b\" c\n---\n":                        "line 2: the value of a goes on after its closing quote",
	} {
		_, _, err := Parse(text)
		require.ErrorContains(t, err, want, text)
		var at *Error
		require.ErrorAs(t, err, &at)
	}
	for _, fine := range []string{"---\n---\nbody", "---\na: 'Use when: y'\n---\n", "---\na: >\n  Use when: y\n---\n"} {
		_, _, err := Parse(fine)
		require.NoError(t, err, fine)
	}
}
