using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

using Crystal.Multimodal.Tools;
using Crystal.Tools;

namespace Countersign.DotnetHost
{
    /// <summary>The types of an assembly that are tools.</summary>
    internal static class ToolTypes
    {
        /// <summary>
        /// The public classes that can be tools, or those of them that a list names, by their full
        /// or their short names. A list that names anything else is refused.
        /// </summary>
        public static List<Type> Select(Assembly assembly, IReadOnlyCollection<string> names)
        {
            var all = Exported(assembly).Where(IsTool).ToList();
            if (names.Count == 0)
            {
                return all;
            }
            var selected = new List<Type>();
            foreach (var name in names)
            {
                var type = all.FirstOrDefault(one => one.FullName == name) ?? all.FirstOrDefault(one => one.Name == name);
                if (type == null)
                {
                    throw new Refusal(Kinds.Type, name);
                }
                if (!selected.Contains(type))
                {
                    selected.Add(type);
                }
            }
            return selected;
        }

        /// <summary>Makes a tool.</summary>
        public static object Make(Type type)
        {
            if (type.GetConstructor(Type.EmptyTypes) == null)
            {
                throw new Refusal(Kinds.Tool, "It has no public constructor without parameters.");
            }
            try
            {
                return Activator.CreateInstance(type);
            }
            catch (Exception exception)
            {
                throw new Refusal(Kinds.Tool, Refusal.Words(exception));
            }
        }

        /// <summary>What a tool says of itself. One that is two tools must say the same as both.</summary>
        public static ToolDefinition Define(object tool)
        {
            ToolDefinition text, images;
            try
            {
                text = (tool as ITool)?.Definition;
                images = (tool as IMultimodalTool)?.Definition;
            }
            catch (Exception exception)
            {
                throw new Refusal(Kinds.Tool, Refusal.Words(exception));
            }
            if ((tool is ITool && text == null) || (tool is IMultimodalTool && images == null))
            {
                throw new Refusal(Kinds.Tool, "It has no definition.");
            }
            if (text != null && images != null && !Same(text, images))
            {
                throw new Refusal(Kinds.Tool, "Its definitions as ITool and as IMultimodalTool differ.");
            }
            return text ?? images;
        }

        private static bool Same(ToolDefinition a, ToolDefinition b) =>
            a.Name == b.Name && a.Description == b.Description && a.InputSchema.ToString() == b.InputSchema.ToString();

        private static IEnumerable<Type> Exported(Assembly assembly)
        {
            try
            {
                return assembly.GetExportedTypes();
            }
            catch (Exception exception)
            {
                throw new Refusal(Kinds.Assembly, Refusal.Words(exception));
            }
        }

        private static bool IsTool(Type type) =>
            type.IsClass && !type.IsAbstract && !type.ContainsGenericParameters
            && (typeof(ITool).IsAssignableFrom(type) || typeof(IMultimodalTool).IsAssignableFrom(type));
    }
}
