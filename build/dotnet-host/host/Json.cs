using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Countersign.DotnetHost
{
    /// <summary>
    /// Reads and writes the envelope of the protocol: objects, lists, texts, true, false, null and
    /// whole numbers. Arguments, schemas and results are texts in it and are never looked into.
    /// </summary>
    internal sealed class Json
    {
        private const int MaxDepth = 8;

        private readonly string _text;
        private int _at;

        private Json(string text)
        {
            _text = text;
        }

        /// <summary>Reads an object. Throws a FormatException for anything else.</summary>
        public static Dictionary<string, object> ReadObject(string text)
        {
            var reader = new Json(text);
            var value = reader.Value(0) as Dictionary<string, object>;
            reader.Space();
            if (value == null || reader._at != text.Length)
            {
                throw new FormatException("The line is not one JSON object.");
            }
            return value;
        }

        public static string Write(object value)
        {
            var text = new StringBuilder();
            Append(text, value);
            return text.ToString();
        }

        private static void Append(StringBuilder text, object value)
        {
            if (value == null)
            {
                text.Append("null");
            }
            else if (value is string words)
            {
                AppendText(text, words);
            }
            else if (value is bool yes)
            {
                text.Append(yes ? "true" : "false");
            }
            else if (value is long number)
            {
                text.Append(number.ToString(CultureInfo.InvariantCulture));
            }
            else if (value is IDictionary<string, object> members)
            {
                AppendObject(text, members);
            }
            else if (value is IEnumerable<object> elements)
            {
                AppendList(text, elements);
            }
            else
            {
                throw new FormatException("The protocol has no " + value.GetType().Name + ".");
            }
        }

        private static void AppendObject(StringBuilder text, IDictionary<string, object> members)
        {
            var between = "{";
            foreach (var member in members)
            {
                text.Append(between);
                AppendText(text, member.Key);
                text.Append(':');
                Append(text, member.Value);
                between = ",";
            }
            text.Append(members.Count == 0 ? "{}" : "}");
        }

        private static void AppendList(StringBuilder text, IEnumerable<object> elements)
        {
            text.Append('[');
            var first = true;
            foreach (var element in elements)
            {
                if (!first)
                {
                    text.Append(',');
                }
                Append(text, element);
                first = false;
            }
            text.Append(']');
        }

        private static void AppendText(StringBuilder text, string words)
        {
            text.Append('"');
            foreach (var c in words)
            {
                if (c == '"' || c == '\\')
                {
                    text.Append('\\').Append(c);
                }
                else if (c < ' ' || c == '\u007f' || c == '\u2028' || c == '\u2029')
                {
                    text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                }
                else
                {
                    text.Append(c);
                }
            }
            text.Append('"');
        }

        private object Value(int depth)
        {
            if (depth > MaxDepth)
            {
                throw new FormatException("The line is nested too deeply.");
            }
            Space();
            switch (Peek())
            {
                case '{':
                    return Members(depth);
                case '[':
                    return Elements(depth);
                case '"':
                    return Text();
                case 't':
                    Word("true");
                    return true;
                case 'f':
                    Word("false");
                    return false;
                case 'n':
                    Word("null");
                    return null;
                default:
                    return Number();
            }
        }

        private Dictionary<string, object> Members(int depth)
        {
            var members = new Dictionary<string, object>(StringComparer.Ordinal);
            _at++;
            Space();
            if (Peek() == '}')
            {
                _at++;
                return members;
            }
            while (true)
            {
                Space();
                var name = Text();
                Space();
                Word(":");
                members[name] = Value(depth + 1);
                Space();
                if (Peek() != ',')
                {
                    Word("}");
                    return members;
                }
                _at++;
            }
        }

        private List<object> Elements(int depth)
        {
            var elements = new List<object>();
            _at++;
            Space();
            if (Peek() == ']')
            {
                _at++;
                return elements;
            }
            while (true)
            {
                elements.Add(Value(depth + 1));
                Space();
                if (Peek() != ',')
                {
                    Word("]");
                    return elements;
                }
                _at++;
            }
        }

        private string Text()
        {
            Word("\"");
            var text = new StringBuilder();
            while (true)
            {
                var c = Next();
                switch (c)
                {
                    case '"':
                        return text.ToString();
                    case '\\':
                        text.Append(Escaped());
                        break;
                    default:
                        text.Append(c);
                        break;
                }
            }
        }

        private char Escaped()
        {
            var c = Next();
            switch (c)
            {
                case 'b':
                    return '\b';
                case 'f':
                    return '\f';
                case 'n':
                    return '\n';
                case 'r':
                    return '\r';
                case 't':
                    return '\t';
                case 'u':
                    var digits = "";
                    for (var i = 0; i < 4; i++)
                    {
                        digits += Next();
                    }
                    return (char)ushort.Parse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
                case '"':
                case '\\':
                case '/':
                    return c;
                default:
                    throw new FormatException("The line has an unknown escape.");
            }
        }

        private long Number()
        {
            var start = _at;
            while (_at < _text.Length && (_text[_at] == '-' || char.IsDigit(_text[_at])))
            {
                _at++;
            }
            return long.Parse(_text.Substring(start, _at - start), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        }

        private void Word(string word)
        {
            if (string.CompareOrdinal(_text, _at, word, 0, word.Length) != 0)
            {
                throw new FormatException("The line is not JSON.");
            }
            _at += word.Length;
        }

        private void Space()
        {
            while (_at < _text.Length && (_text[_at] == ' ' || _text[_at] == '\t'))
            {
                _at++;
            }
        }

        private char Peek() => _at < _text.Length ? _text[_at] : '\0';

        private char Next() => _at < _text.Length ? _text[_at++] : throw new FormatException("The line ends too early.");
    }
}
