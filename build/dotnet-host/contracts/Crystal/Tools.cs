using System;
#if NETCOREAPP
using System.Text.Json;
#endif

using Crystal.Chat;

namespace Crystal.Chat
{
    /// <summary>Something that stands in a conversation.</summary>
    public abstract class ChatItem
    {
        internal ChatItem()
        {
        }
    }
}

namespace Crystal.Tools
{
    /// <summary>What a model is told of a tool.</summary>
    public sealed class ToolDefinition
    {
        /// <param name="name">The name that a model calls the tool by.</param>
        /// <param name="inputSchema">A JSON Schema of the arguments, which are an object.</param>
        /// <param name="description">What the tool does; its name, if this is missing.</param>
        public ToolDefinition(string name, string inputSchema, string description = null)
        {
            Require.Words(name, nameof(name));
            Require.Words(inputSchema, nameof(inputSchema));
            Name = name;
            Description = description;
#if NETCOREAPP
            using (var document = JsonDocument.Parse(inputSchema))
            {
                InputSchema = document.RootElement.Clone();
            }
#else
            InputSchema = inputSchema;
#endif
        }

#if NETCOREAPP
        public ToolDefinition(string name, JsonElement inputSchema, string description = null)
        {
            Require.Words(name, nameof(name));
            if (inputSchema.ValueKind == JsonValueKind.Undefined)
            {
                throw new ArgumentException("A schema is required.", nameof(inputSchema));
            }
            Name = name;
            Description = description;
            InputSchema = inputSchema.Clone();
        }

        public JsonElement InputSchema { get; }
#else
        /// <summary>The JSON text of the schema: this runtime has no type for JSON.</summary>
        public string InputSchema { get; }
#endif

        public string Name { get; }

        public string Description { get; }
    }

    /// <summary>One call of a tool.</summary>
    public sealed class ToolCall : ChatItem
    {
        public ToolCall(string callId, string name, string arguments)
        {
            Require.Words(callId, nameof(callId));
            Require.Words(name, nameof(name));
            CallId = callId;
            Name = name;
            Arguments = arguments ?? throw new ArgumentNullException(nameof(arguments));
        }

        public string CallId { get; }

        public string Name { get; }

        /// <summary>The arguments as JSON text. Their paths are absolute.</summary>
        public string Arguments { get; }
    }

    /// <summary>How a tool says that its call went.</summary>
    public sealed class ToolResultStatus
    {
        public static ToolResultStatus Success { get; } = new ToolResultStatus("success");

        public static ToolResultStatus Failure { get; } = new ToolResultStatus("failure");

        public ToolResultStatus(string value)
        {
            Require.Words(value, nameof(value));
            Value = value;
        }

        public string Value { get; }

        public override string ToString() => Value;
    }

    /// <summary>What a tool answers.</summary>
    public sealed class ToolOutput
    {
        public ToolOutput(string text)
            : this(text, ToolResultStatus.Success)
        {
        }

        public ToolOutput(string text, ToolResultStatus status)
        {
            Text = text ?? throw new ArgumentNullException(nameof(text));
            Status = status ?? throw new ArgumentNullException(nameof(status));
        }

        public string Text { get; }

        public ToolResultStatus Status { get; }
    }

    /// <summary>Checks arguments of constructors.</summary>
    internal static class Require
    {
        public static void Words(string text, string parameter)
        {
            if (string.IsNullOrWhiteSpace(text))
            {
                throw new ArgumentException("A text is required.", parameter);
            }
        }
    }
}
