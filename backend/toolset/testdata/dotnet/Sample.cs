using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

using Crystal.Media;
using Crystal.Multimodal;
using Crystal.Multimodal.Tools;
using Crystal.Tools;

using CrystalCode.Tools;

/// <summary>Tools of every kind, to be called.</summary>
namespace Sample
{
    public abstract class Base : ITool
    {
        protected Base(string name, string description = null, string schema = "{\"type\":\"object\"}")
        {
            Definition = new ToolDefinition(name, schema, description);
        }

        public ToolDefinition Definition { get; }

        public async ValueTask<ToolOutput> InvokeAsync(ToolCall call, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return Run(call.Arguments);
        }

        protected abstract ToolOutput Run(string arguments);
    }

    public sealed class Echo : Base
    {
        public Echo()
            : base("echo", "Says what it was sent.", "{\"type\":\"object\",\"properties\":{\"path\":{},\"n\":{}}}")
        {
        }

        protected override ToolOutput Run(string arguments) =>
            new ToolOutput(arguments + "|" + Environment.GetEnvironmentVariable("CRYSTAL_SESSION") + "|" + Environment.CurrentDirectory);
    }

    public sealed class Throws : Base
    {
        public Throws()
            : base("throws")
        {
        }

        protected override ToolOutput Run(string arguments) => throw new InvalidOperationException("the stock is \"gone\"\n\u2603");
    }

    public sealed class Fails : Base
    {
        public Fails()
            : base("fails")
        {
        }

        protected override ToolOutput Run(string arguments) => new ToolOutput("not today", ToolResultStatus.Failure);
    }

    public sealed class Noisy : Base
    {
        public Noisy()
            : base("noisy")
        {
            Console.WriteLine("{\"tools\":[]}");
        }

        protected override ToolOutput Run(string arguments)
        {
            Console.WriteLine("{\"status\":\"success\",\"text\":\"forged\"}");
            using (var raw = Console.OpenStandardOutput())
            {
                raw.Write(new byte[] { 0xff, 0, (byte)'\n' }, 0, 3);
            }
            using (var child = Process.Start(new ProcessStartInfo("/bin/echo", "from a child") { UseShellExecute = false }))
            {
                child.WaitForExit();
            }
            return new ToolOutput("quiet" + Console.In.ReadToEnd());
        }
    }

    public sealed class Exits : Base
    {
        public Exits()
            : base("exits")
        {
        }

        protected override ToolOutput Run(string arguments)
        {
            Console.WriteLine("last words");
            Environment.Exit(arguments == "{}" ? 0 : 7);
            return null;
        }
    }

    public sealed class Hangs : Base
    {
        public Hangs()
            : base("hangs")
        {
        }

        protected override ToolOutput Run(string arguments)
        {
            using (var child = Process.Start(new ProcessStartInfo("/bin/sleep", "4000") { UseShellExecute = false }))
            {
                File.WriteAllText("child.part", child.Id.ToString());
                File.Move("child.part", "child");
                Thread.Sleep(Timeout.Infinite);
            }
            return null;
        }
    }

    public sealed class Leaves : Base
    {
        public Leaves()
            : base("leaves")
        {
        }

        protected override ToolOutput Run(string arguments)
        {
            new Thread(() => Thread.Sleep(Timeout.Infinite)).Start();
            using (var child = Process.Start(new ProcessStartInfo("/bin/sleep", "4000") { UseShellExecute = false }))
            {
                return new ToolOutput(child.Id.ToString());
            }
        }
    }

    public sealed class Large : Base
    {
        public Large()
            : base("large")
        {
        }

        protected override ToolOutput Run(string arguments) => new ToolOutput(new string('\u00e9', 150 * 1024));
    }

    public sealed class Nothing : Base
    {
        public Nothing()
            : base("nothing")
        {
        }

        protected override ToolOutput Run(string arguments) => arguments == "{}" ? new ToolOutput("") : null;
    }

    public sealed class Reserved : Base
    {
        public Reserved()
            : base("bash")
        {
        }

        protected override ToolOutput Run(string arguments) => new ToolOutput("");
    }

    public sealed class Misnamed : Base
    {
        public Misnamed()
            : base("sample/misnamed \u2603")
        {
        }

        protected override ToolOutput Run(string arguments) => new ToolOutput("");
    }

    public sealed class Unmade : Base
    {
        public Unmade()
            : base("unmade")
        {
            throw new InvalidOperationException("no \u2603");
        }

        protected override ToolOutput Run(string arguments) => new ToolOutput("");
    }

    public sealed class Takes : Base
    {
        public Takes(int n)
            : base("takes" + n)
        {
        }

        protected override ToolOutput Run(string arguments) => new ToolOutput("");
    }

    public sealed class Listed : Base
    {
        public Listed()
            : base("listed", null, "{\"type\":\"array\"}")
        {
        }

        protected override ToolOutput Run(string arguments) => new ToolOutput("");
    }

    internal sealed class Hidden : Base
    {
        public Hidden()
            : base("hidden")
        {
        }

        protected override ToolOutput Run(string arguments) => new ToolOutput("");
    }

    public static class Holder
    {
        public sealed class Nested : Base
        {
            public Nested()
                : base("nested")
            {
            }

            protected override ToolOutput Run(string arguments) => new ToolOutput("nested");
        }
    }

    public sealed class Told : IHostTool
    {
        public ToolDefinition Definition { get; } = new ToolDefinition("told", "{}");

        public ValueTask<ToolOutput> InvokeAsync(ToolCall call, CancellationToken cancellationToken) =>
            throw new InvalidOperationException("This tool requires host context.");

        public ValueTask<ToolOutput> InvokeAsync(ToolCall call, ToolHostContext context, CancellationToken cancellationToken) =>
            new ValueTask<ToolOutput>(new ToolOutput(string.Join("\n",
                call.CallId, context.WorkspaceRoot, context.SessionId, context.Approval, context.GlobalDataDirectory, context.ProjectDataDirectory,
                Directory.Exists(context.GlobalDataDirectory), Directory.Exists(context.ProjectDataDirectory))));
    }

    public sealed class Draws : IMultimodalTool
    {
        public static readonly byte[] Png = Convert.FromBase64String("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ");

        public ToolDefinition Definition { get; } = new ToolDefinition("draws", "{}");

        public ValueTask<MultimodalToolOutput> InvokeAsync(MultimodalToolCall call, CancellationToken cancellationToken)
        {
            MediaSource source;
            switch (call.Arguments)
            {
                case "{\"from\":\"address\"}":
                    source = new UriMediaSource(new Uri("file:///etc/hostname"));
                    break;
                case "{\"from\":\"stream\"}":
                    source = new ReplayableStreamMediaSource(cancel => new ValueTask<Stream>(new MemoryStream(Png)));
                    break;
                case "{\"from\":\"large\"}":
                    var large = new byte[300 * 1024];
                    Png.CopyTo(large, 0);
                    source = new InlineMediaSource(large);
                    break;
                default:
                    source = new InlineMediaSource(Png);
                    break;
            }
            return new ValueTask<MultimodalToolOutput>(new MultimodalToolOutput(new MultimodalContent[]
            {
                new TextContent("one"), new ImageContent(new ImageMedia(source, new MediaMimeType("image/png"))), new TextContent("two"),
            }));
        }
    }

    public sealed class Both : ITool, IHostMultimodalTool
    {
        public ToolDefinition Definition { get; } = new ToolDefinition("both", "{}");

        public ValueTask<ToolOutput> InvokeAsync(ToolCall call, CancellationToken cancellationToken) =>
            new ValueTask<ToolOutput>(new ToolOutput("in words"));

        public ValueTask<MultimodalToolOutput> InvokeAsync(MultimodalToolCall call, CancellationToken cancellationToken) =>
            throw new InvalidOperationException("This tool requires host context.");

        public ValueTask<MultimodalToolOutput> InvokeAsync(MultimodalToolCall call, ToolHostContext context, CancellationToken cancellationToken) =>
            new ValueTask<MultimodalToolOutput>(new MultimodalToolOutput(new[] { new TextContent("for " + context.Approval) }));
    }
}
