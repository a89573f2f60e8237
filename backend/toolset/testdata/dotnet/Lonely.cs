using System.Threading;
using System.Threading.Tasks;

using Crystal.Tools;

/// <summary>A tool that needs another assembly.</summary>
public sealed class Lonely : ITool
{
    public ToolDefinition Definition { get; } = new ToolDefinition("lonely", "{}", Helper.Words);

    public ValueTask<ToolOutput> InvokeAsync(ToolCall call, CancellationToken cancellationToken) =>
        new ValueTask<ToolOutput>(new ToolOutput(Helper.Words));
}
