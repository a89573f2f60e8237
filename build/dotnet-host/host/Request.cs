using System;
using System.Collections.Generic;
using System.Linq;

namespace Countersign.DotnetHost
{
    /// <summary>A line that asks for something. A member that is missing or of another kind is refused.</summary>
    internal sealed class Request
    {
        private readonly Dictionary<string, object> _members;

        private Request(Dictionary<string, object> members)
        {
            _members = members;
        }

        public static Request Read(string line)
        {
            try
            {
                return new Request(Json.ReadObject(line));
            }
            catch (Exception exception)
            {
                throw new Refusal(Kinds.Request, Refusal.Words(exception));
            }
        }

        public string Text(string name) => Member<string>(name);

        public bool Yes(string name) => (bool)Member<object>(name).Equals(true);

        public IReadOnlyCollection<string> Texts(string name) => Member<List<object>>(name).Cast<string>().ToList();

        private T Member<T>(string name)
            where T : class
        {
            object value;
            return _members.TryGetValue(name, out value) && value is T member
                ? member
                : throw new Refusal(Kinds.Request, "The request lacks " + name + ".");
        }
    }
}
