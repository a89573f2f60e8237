package calculate

import "testing"

// zeros is a run of zeros, for values beside 1.
const (
	zeros48 = "000000000000000000000000000000000000000000000000"
	nines49 = "9999999999999999999999999999999999999999999999999"
)

// The values were worked out to 220 digits with mpmath or follow from the series
// by hand: e^x = 1 + x + x²/2, ln(1+x) = x - x²/2.
//
// spec: VB-6, VB-7
func TestResultsBesideATieAreRoundedByWhatFollows(t *testing.T) {
	for expression, want := range map[string]string{
		"exp(5e-50)":                    "1." + zeros48 + "1",
		"exp(4.9e-50)":                  "1",
		"exp(-5e-51)":                   "1",
		"exp(-5.1e-51)":                 "0.9" + nines49,
		"exp(1e-60)":                    "1",
		"exp(-1e-10000)":                "1",
		"2^1e-10000":                    "1",
		"1." + zeros48 + "1^0.5":        "1",
		"1." + zeros48 + "1^2e53":       "7.7560047259868610458320406792635019601680695375321e+8685",
		"ln(1." + zeros48 + "1)":        "9." + nines49[1:] + "5e-50",
		"ln(0.9" + nines49 + ")":        "-1e-50",
		"0.99999999999999999^7":         "0.99999999999999993000000000000000209999999999999997",
		"1e9999^0.123":                  "7.5335556373371738878082037097945388992579551162036e+1229",
		"exp(23028.1)":                  "9.4789169081350968483657416435051800879050097759559e+10000",
		"log10(9." + nines49 + "e9999)": "10000",
		"exp(ln(2))":                    "2",
		// A power whose root comes out even: next to a power of ten, and on a tie.
		"100^0.5":                   "10",
		"0.01^-1.5":                 "1000",
		"32^0.2":                    "2",
		"1e10000^0.0001":            "10",
		"1e-10000^-0.9999":          "1e+9999",
		"(79370052598409975^2)^1.5": "5.0000000000000002385814315426712952408001451873438e+50",
		"8^(1/3)":                   "2",
		"0.5^1e3":                   "9.3326361850321887899008954472381716961709144637171e-302",
	} {
		got := answerOf(expression)
		if got != (answer{want, true}) {
			t.Errorf("%s: got %v, want %s", expression, got, want)
		}
	}
}

// spec: VB-5, VB-6, VB-7
func TestExactResultsAreSaidToBeExact(t *testing.T) {
	for expression, want := range map[string]string{
		"sqrt(1.44)":                     "1.2",
		"sqrt(1e-10000)":                 "1e-5000",
		"sqrt(0)":                        "0",
		"log10(1e-10049)":                "-10049",
		"log10(1.000)":                   "0",
		"ln(1.0)":                        "0",
		"2^-10":                          "0.0009765625",
		"2^166":                          "9.3536104789177786765035829293842113257979682750464e+49",
		"(-0.5)^3":                       "-0.125",
		"1e5000^2":                       "1e+10000",
		"10^-10049":                      "1e-10049",
		"(-1)^1e30":                      "1",
		"(-1)^(1e30+1)":                  "-1",
		"0^0.5":                          "0",
		"0^1e10000":                      "0",
		"1e-10049*10":                    "1e-10048",
		"1.5e-10000-1e-10000":            "5e-10001",
		"0e999999999999":                 "0",
		"0*1e10000":                      "0",
		"1e10000//1":                     "1e+10000",
		"-1e-10000//1e10000":             "-1",
		"1e-10000%1e10000":               "1e-10000",
		"1e10000%7e-10000":               "2e-10000",
		"ceil(1e-10000)":                 "1",
		"floor(-1e-10000)":               "-1",
		"floor(1e-10000)":                "0",
		"ceil(-1e-10000)":                "0",
		"round(0.5)":                     "0",
		"round(-0.5)":                    "0",
		"round(1e-10000,50)":             "0",
		"round(5e-51,50)":                "0",
		"round(6e-51,50)":                "1e-50",
		"round(6e49,-50)":                "1e+50",
		"round(7,2.0)":                   "7",
		"round(9.99,1)":                  "10",
		"max(1e10000,1e-10000,-1e10000)": "1e+10000",
		"min(-1e-10000,-1e10000,0)":      "-1e+10000",
		"max(2,2.0)":                     "2",
		"1e25":                           "10000000000000000000000000",
		"1.23456789e25":                  "12345678900000000000000000",
		"1e26":                           "1e+26",
		"-1.50e26":                       "-1.5e+26",
		"1e-25":                          "0.0000000000000000000000001",
		"12e-26":                         "0.00000000000000000000000012",
		"9.9e-26":                        "9.9e-26",
		"123.4500":                       "123.45",
	} {
		if got := answerOf(expression); got != (answer{want, false}) {
			t.Errorf("%s: got %v, want %s", expression, got, want)
		}
	}
}

// spec: VB-5, VB-6, VB-7
func TestWhatHasNoValueIsRefused(t *testing.T) {
	for expression, want := range map[string]string{
		"0^0":                            string(CodeDomain),
		"0^-1":                           string(CodeDivisionByZero),
		"0^-0.5":                         string(CodeDivisionByZero),
		"5//0":                           string(CodeDivisionByZero),
		"5%0":                            string(CodeDivisionByZero),
		"0%0":                            string(CodeDivisionByZero),
		"(-8)^(1/3)":                     string(CodeDomain),
		"log10(0)":                       string(CodeDomain),
		"log10(-10)":                     string(CodeDomain),
		"round(1,-51)":                   string(CodeDomain),
		"round(1,1e10000)":               string(CodeDomain),
		"round(1,1e-10000)":              string(CodeDomain),
		"1e51//3":                        string(CodeOutOfRange),
		"1e10000//1e-10000":              string(CodeOutOfRange),
		"1e-10000*1e-10000":              string(CodeOutOfRange),
		"1e-10049/2":                     string(CodeOutOfRange),
		"10^10001":                       string(CodeOutOfRange),
		"10^-10050":                      string(CodeOutOfRange),
		"(-10)^10001":                    string(CodeOutOfRange),
		"9." + nines49 + "e10000+1e9951": string(CodeOutOfRange),
		"exp(23029)":                     string(CodeOutOfRange),
		"1e-10050":                       string(CodeOutOfRange),
		"0.5^40000":                      string(CodeOutOfRange),
		"2^33223":                        string(CodeOutOfRange),
	} {
		if got := answerOf(expression); got != (answer{value: want}) {
			t.Errorf("%s: got %v, want %s", expression, got, want)
		}
	}
}
