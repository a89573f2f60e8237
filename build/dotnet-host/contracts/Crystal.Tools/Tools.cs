using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

using Crystal.Tools;

namespace Crystal.Tools
{
    /// <summary>A tool that answers with text.</summary>
    public interface ITool
    {
        ToolDefinition Definition { get; }

        ValueTask<ToolOutput> InvokeAsync(ToolCall call, CancellationToken cancellationToken = default(CancellationToken));
    }
}

namespace Crystal.Multimodal.Tools
{
    /// <summary>A tool that answers with text and images.</summary>
    public interface IMultimodalTool
    {
        ToolDefinition Definition { get; }

        ValueTask<MultimodalToolOutput> InvokeAsync(MultimodalToolCall call, CancellationToken cancellationToken = default(CancellationToken));
    }

    /// <summary>What such a tool answers.</summary>
    public sealed class MultimodalToolOutput
    {
        public MultimodalToolOutput(IEnumerable<MultimodalContent> contents)
            : this(contents, MultimodalToolResultStatus.Success)
        {
        }

        public MultimodalToolOutput(IEnumerable<MultimodalContent> contents, MultimodalToolResultStatus status)
        {
            if (contents == null)
            {
                throw new ArgumentNullException(nameof(contents));
            }
            Contents = contents.ToArray();
            if (Contents.Contains(null))
            {
                throw new ArgumentException("A block of content is missing.", nameof(contents));
            }
            Status = status ?? throw new ArgumentNullException(nameof(status));
        }

        public IReadOnlyList<MultimodalContent> Contents { get; }

        public MultimodalToolResultStatus Status { get; }
    }
}
