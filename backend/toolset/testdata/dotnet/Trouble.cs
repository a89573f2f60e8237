using System;
using System.Threading;
using System.Threading.Tasks;

using Crystal.Multimodal.Tools;
using Crystal.Tools;

/// <summary>Tools that must not be made together, each named by a list of types.</summary>
namespace Trouble
{
    public abstract class Base : ITool
    {
        public virtual ToolDefinition Definition { get; } = new ToolDefinition("same", "{}");

        public ValueTask<ToolOutput> InvokeAsync(ToolCall call, CancellationToken cancellationToken) =>
            new ValueTask<ToolOutput>(new ToolOutput(GetType().Name));
    }

    public sealed class First : Base
    {
    }

    public sealed class Second : Base
    {
    }

    public sealed class Exits : Base
    {
        public Exits()
        {
            Environment.Exit(0);
        }
    }

    public sealed class Hangs : Base
    {
        public Hangs()
        {
            Thread.Sleep(Timeout.Infinite);
        }
    }

    public sealed class TwoFaced : Base, IMultimodalTool
    {
        ToolDefinition IMultimodalTool.Definition => new ToolDefinition("same", "{\"type\":\"object\"}");

        public ValueTask<MultimodalToolOutput> InvokeAsync(MultimodalToolCall call, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
