using System;
using System.Threading;
using System.Threading.Tasks;

using Crystal.Multimodal.Tools;
using Crystal.Tools;

namespace CrystalCode.Tools
{
    /// <summary>What the host knows of a call. What it does not know is "".</summary>
    public sealed class ToolHostContext
    {
        public ToolHostContext(string workspaceRoot, string sessionId, string approval, string globalDataDirectory = "", string projectDataDirectory = "")
        {
            WorkspaceRoot = workspaceRoot ?? throw new ArgumentNullException(nameof(workspaceRoot));
            SessionId = sessionId ?? throw new ArgumentNullException(nameof(sessionId));
            Approval = approval ?? throw new ArgumentNullException(nameof(approval));
            GlobalDataDirectory = globalDataDirectory ?? throw new ArgumentNullException(nameof(globalDataDirectory));
            ProjectDataDirectory = projectDataDirectory ?? throw new ArgumentNullException(nameof(projectDataDirectory));
        }

        public string WorkspaceRoot { get; }

        public string SessionId { get; }

        /// <summary>plan, default, edit, review, audit or full.</summary>
        public string Approval { get; }

        /// <summary>The set's own directory for all workspaces.</summary>
        public string GlobalDataDirectory { get; }

        /// <summary>The set's own directory in this workspace.</summary>
        public string ProjectDataDirectory { get; }
    }

    /// <summary>A tool that is told what the host knows of each call.</summary>
    public interface IHostTool : ITool
    {
        ValueTask<ToolOutput> InvokeAsync(ToolCall call, ToolHostContext context, CancellationToken cancellationToken = default(CancellationToken));
#if NETCOREAPP

        ValueTask<ToolOutput> ITool.InvokeAsync(ToolCall call, CancellationToken cancellationToken) =>
            throw new InvalidOperationException("This tool requires host context.");
#endif
    }

    /// <summary>A tool with images that is told what the host knows of each call.</summary>
    public interface IHostMultimodalTool : IMultimodalTool
    {
        ValueTask<MultimodalToolOutput> InvokeAsync(MultimodalToolCall call, ToolHostContext context, CancellationToken cancellationToken = default(CancellationToken));
#if NETCOREAPP

        ValueTask<MultimodalToolOutput> IMultimodalTool.InvokeAsync(MultimodalToolCall call, CancellationToken cancellationToken) =>
            throw new InvalidOperationException("This tool requires host context.");
#endif
    }
}
