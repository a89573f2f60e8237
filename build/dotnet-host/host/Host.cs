using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

using Crystal.Multimodal.Tools;
using Crystal.Tools;

using CrystalCode.Tools;

namespace Countersign.DotnetHost
{
    /// <summary>Answers requests about one assembly, one line each.</summary>
    internal sealed class Host
    {
        private readonly string _path;
        private Assembly _assembly;

        /// <param name="path">The absolute path of the assembly.</param>
        public Host(string path)
        {
            _path = path;
        }

        /// <summary>The answer to a line. Whatever fails is an answer, too.</summary>
        public string Answer(string line)
        {
            Dictionary<string, object> answer;
            try
            {
                answer = Dispatch(Request.Read(line));
            }
            catch (Refusal refusal)
            {
                answer = Failed(refusal);
            }
            catch (Exception exception)
            {
                answer = Failed(new Refusal(Kinds.Exception, Refusal.Words(exception)));
            }
            return Json.Write(answer);
        }

        private static Dictionary<string, object> Failed(Refusal refusal) => new Dictionary<string, object>
        {
            ["error"] = new Dictionary<string, object> { ["kind"] = refusal.Kind, ["detail"] = refusal.Detail },
        };

        private Dictionary<string, object> Dispatch(Request request)
        {
            _assembly = _assembly ?? SetAssembly.Load(_path);
            switch (request.Text("do"))
            {
                case "list":
                    return List(request.Texts("types"));
                case "call":
                    return Call(request);
                default:
                    throw new Refusal(Kinds.Request, "There is no such request.");
            }
        }

        private Dictionary<string, object> List(IReadOnlyCollection<string> names)
        {
            var tools = new List<object>();
            var omitted = new List<object>();
            foreach (var type in ToolTypes.Select(_assembly, names))
            {
                try
                {
                    tools.Add(Describe(type, ToolTypes.Make(type)));
                }
                catch (Refusal refusal)
                {
                    omitted.Add(new Dictionary<string, object> { ["type"] = type.FullName, ["reason"] = refusal.Detail });
                }
            }
            return new Dictionary<string, object> { ["tools"] = tools, ["omitted"] = omitted };
        }

        private static Dictionary<string, object> Describe(Type type, object tool)
        {
            var definition = ToolTypes.Define(tool);
            return new Dictionary<string, object>
            {
                ["type"] = type.FullName,
                ["name"] = definition.Name,
                ["description"] = definition.Description,
                ["schema"] = definition.InputSchema.ToString(),
                ["text"] = tool is ITool,
                ["images"] = tool is IMultimodalTool,
            };
        }

        private Dictionary<string, object> Call(Request request)
        {
            var name = request.Text("name");
            var tool = ToolTypes.Make(ToolTypes.Select(_assembly, new[] { request.Text("type") }).Single());
            if (ToolTypes.Define(tool).Name != name)
            {
                throw new Refusal(Kinds.Tool, "It has another name than it had.");
            }
            var context = new ToolHostContext(
                request.Text("workspace"), request.Text("session"), request.Text("approval"), request.Text("globalData"), request.Text("projectData"));
            return new Invocation(request.Text("callId"), name, request.Text("arguments"), context).Run(tool, request.Yes("images"));
        }
    }
}
