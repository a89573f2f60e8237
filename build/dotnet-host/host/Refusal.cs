using System;
using System.Reflection;

namespace Countersign.DotnetHost
{
    /// <summary>Why a request is not answered with a result. The kind is part of the protocol.</summary>
    internal sealed class Refusal : Exception
    {
        private const int MaxDetail = 4000;

        /// <param name="kind">One of <see cref="Kinds"/>.</param>
        /// <param name="detail">What the assembly or the runtime says, for people.</param>
        public Refusal(string kind, string detail)
            : base(kind)
        {
            Kind = kind;
            Detail = detail.Length > MaxDetail ? detail.Substring(0, MaxDetail) : detail;
        }

        public string Kind { get; }

        public string Detail { get; }

        /// <summary>An exception in words. Its own words may fail, too: they are foreign code.</summary>
        public static string Words(Exception exception)
        {
            var cause = Cause(exception);
            try
            {
                return cause.GetType().FullName + ": " + cause.Message;
            }
            catch (Exception)
            {
                return cause.GetType().FullName;
            }
        }

        /// <summary>What reflection and tasks wrapped.</summary>
        public static Exception Cause(Exception exception)
        {
            for (var inner = Wrapped(exception); inner != null; inner = Wrapped(exception))
            {
                exception = inner;
            }
            return exception;
        }

        private static Exception Wrapped(Exception exception)
        {
            if (exception is TargetInvocationException || exception is TypeInitializationException)
            {
                return exception.InnerException;
            }
            if (exception is AggregateException several && several.InnerExceptions.Count == 1)
            {
                return several.InnerExceptions[0];
            }
            return exception is ReflectionTypeLoadException load && load.LoaderExceptions.Length > 0 ? load.LoaderExceptions[0] : null;
        }
    }

    /// <summary>The kinds of refusal.</summary>
    internal static class Kinds
    {
        /// <summary>The line is not a request.</summary>
        public const string Request = "request";

        /// <summary>The file is not there, or is not an assembly.</summary>
        public const string Assembly = "assembly";

        /// <summary>An assembly that is needed is neither in the set nor of the runtime.</summary>
        public const string Dependency = "dependency";

        /// <summary>The list of types names one that is no tool of the assembly.</summary>
        public const string Type = "type";

        /// <summary>A tool cannot be made, or does not say what it is.</summary>
        public const string Tool = "tool";

        /// <summary>The code of the tool failed.</summary>
        public const string Exception = "exception";

        /// <summary>The tool answered with something that cannot be handed on.</summary>
        public const string Answer = "answer";
    }
}
