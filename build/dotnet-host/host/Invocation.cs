using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;

using Crystal.Media;
using Crystal.Multimodal;
using Crystal.Multimodal.Tools;
using Crystal.Tools;

using CrystalCode.Tools;

namespace Countersign.DotnetHost
{
    /// <summary>One call of a tool. It is never cancelled from inside: who wants its end ends the process.</summary>
    internal sealed class Invocation
    {
        // One byte more than is taken, so that a larger image is seen to be one.
        private const int MaxImageBytes = (20 << 20) + 1;

        private readonly string _callId;
        private readonly string _name;
        private readonly string _arguments;
        private readonly ToolHostContext _context;

        public Invocation(string callId, string name, string arguments, ToolHostContext context)
        {
            _callId = callId;
            _name = name;
            _arguments = arguments;
            _context = context;
        }

        /// <summary>Runs the call and returns the members of its answer.</summary>
        /// <param name="images">Whether whoever called can take images.</param>
        public Dictionary<string, object> Run(object tool, bool images)
        {
            if (tool is IMultimodalTool multimodal && (images || !(tool is ITool)))
            {
                return Answer(Await(() => multimodal is IHostMultimodalTool told
                    ? told.InvokeAsync(new MultimodalToolCall(_callId, _name, _arguments), _context, CancellationToken.None)
                    : multimodal.InvokeAsync(new MultimodalToolCall(_callId, _name, _arguments), CancellationToken.None)));
            }
            var output = Await(() => tool is IHostTool host
                ? host.InvokeAsync(new ToolCall(_callId, _name, _arguments), _context, CancellationToken.None)
                : ((ITool)tool).InvokeAsync(new ToolCall(_callId, _name, _arguments), CancellationToken.None));
            return new Dictionary<string, object> { ["status"] = output.Status.Value, ["text"] = output.Text };
        }

        private static T Await<T>(Func<System.Threading.Tasks.ValueTask<T>> call)
            where T : class
        {
            T output;
            try
            {
                output = call().AsTask().GetAwaiter().GetResult();
            }
            catch (Exception exception)
            {
                throw new Refusal(Kinds.Exception, Refusal.Words(exception));
            }
            return output ?? throw new Refusal(Kinds.Answer, "It answered with nothing.");
        }

        private static Dictionary<string, object> Answer(MultimodalToolOutput output)
        {
            var texts = new List<string>();
            var images = new List<object>();
            foreach (var block in output.Contents)
            {
                if (block is TextContent text)
                {
                    texts.Add(text.Text);
                }
                else if (block is ImageContent image)
                {
                    images.Add(new Dictionary<string, object>
                    {
                        ["mimeType"] = image.Image.MimeType.Value,
                        ["base64"] = Convert.ToBase64String(Bytes(image.Image.Source)),
                    });
                }
                else
                {
                    throw new Refusal(Kinds.Answer, "It answered with something that is neither text nor an image.");
                }
            }
            return new Dictionary<string, object>
            {
                ["status"] = output.Status.Value, ["text"] = string.Join("\n", texts), ["images"] = images,
            };
        }

        private static byte[] Bytes(MediaSource source)
        {
            if (source is InlineMediaSource inline)
            {
                return inline.Data.ToArray();
            }
            if (source is ReplayableStreamMediaSource replayable)
            {
                using (var stream = replayable.OpenReadAsync(CancellationToken.None).AsTask().GetAwaiter().GetResult())
                {
                    return Read(stream);
                }
            }
            throw new Refusal(Kinds.Answer, "It answered with an image that is somewhere else. An image must come with its bytes.");
        }

        private static byte[] Read(Stream stream)
        {
            var all = new MemoryStream();
            var room = new byte[64 << 10];
            int n;
            while (all.Length < MaxImageBytes && (n = stream.Read(room, 0, (int)Math.Min(room.Length, MaxImageBytes - all.Length))) > 0)
            {
                all.Write(room, 0, n);
            }
            return all.ToArray();
        }
    }
}
