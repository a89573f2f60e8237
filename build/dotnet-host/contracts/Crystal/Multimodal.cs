using System;
using System.Collections.Generic;
using System.Linq;

using Crystal.Media;
using Crystal.Multimodal.Chat;
using Crystal.Tools;

namespace Crystal
{
    /// <summary>What kind of content a block is.</summary>
    public sealed class ContentModality
    {
        public static ContentModality Text { get; } = new ContentModality("text");

        public static ContentModality Image { get; } = new ContentModality("image");

        private ContentModality(string value)
        {
            Value = value;
        }

        public string Value { get; }

        public override string ToString() => Value;
    }
}

namespace Crystal.Multimodal
{
    /// <summary>A block of content.</summary>
    public abstract class MultimodalContent
    {
        internal MultimodalContent()
        {
        }

        public abstract ContentModality Modality { get; }
    }

    /// <summary>A block of text.</summary>
    public sealed class TextContent : MultimodalContent
    {
        public TextContent(string text)
        {
            Text = text ?? throw new ArgumentNullException(nameof(text));
        }

        public override ContentModality Modality => ContentModality.Text;

        public string Text { get; }
    }

    /// <summary>A block that is an image.</summary>
    public sealed class ImageContent : MultimodalContent
    {
        public ImageContent(ImageMedia image)
        {
            Image = image ?? throw new ArgumentNullException(nameof(image));
        }

        public override ContentModality Modality => ContentModality.Image;

        public ImageMedia Image { get; }
    }
}

namespace Crystal.Multimodal.Chat
{
    /// <summary>Something that stands in a conversation with images.</summary>
    public abstract class MultimodalChatItem
    {
        internal MultimodalChatItem()
        {
        }
    }
}

namespace Crystal.Multimodal.Tools
{
    /// <summary>One call of a tool that may answer with images.</summary>
    public sealed class MultimodalToolCall : MultimodalChatItem
    {
        public MultimodalToolCall(string callId, string name, string arguments, IEnumerable<MultimodalContent> contents = null)
        {
            Require.Words(callId, nameof(callId));
            Require.Words(name, nameof(name));
            CallId = callId;
            Name = name;
            Arguments = arguments ?? throw new ArgumentNullException(nameof(arguments));
            Contents = (contents ?? Enumerable.Empty<MultimodalContent>()).ToArray();
        }

        public string CallId { get; }

        public string Name { get; }

        /// <summary>The arguments as JSON text. Their paths are absolute.</summary>
        public string Arguments { get; }

        public IReadOnlyList<MultimodalContent> Contents { get; }
    }

    /// <summary>How a tool says that its call went.</summary>
    public sealed class MultimodalToolResultStatus
    {
        public static MultimodalToolResultStatus Success { get; } = new MultimodalToolResultStatus("success");

        public static MultimodalToolResultStatus Failure { get; } = new MultimodalToolResultStatus("failure");

        public MultimodalToolResultStatus(string value)
        {
            Require.Words(value, nameof(value));
            Value = value;
        }

        public string Value { get; }

        public override string ToString() => Value;
    }
}
