using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
#if NETCOREAPP
using System.Runtime.Loader;
#endif

using Crystal.Tools;

using CrystalCode.Tools;

namespace Countersign.DotnetHost
{
    /// <summary>
    /// The one assembly of a set with what it needs. An assembly comes from one of three places and
    /// from nowhere else: the contracts are the host's own whatever lies in the set, the framework
    /// is that of the runtime, and everything else lies in the directory of the set.
    /// </summary>
    internal sealed class SetAssembly
    {
        private static readonly Assembly[] Contracts =
        {
            typeof(ToolOutput).Assembly, typeof(ITool).Assembly, typeof(IHostTool).Assembly,
        };

        private readonly string _directory;
#if NETCOREAPP
        private readonly AssemblyLoadContext _context;
        private readonly AssemblyDependencyResolver _resolver;
#endif

        private SetAssembly(string path)
        {
            _directory = Path.GetDirectoryName(path);
#if NETCOREAPP
            _resolver = new AssemblyDependencyResolver(path);
            _context = new Context(this);
#else
            AppDomain.CurrentDomain.AssemblyResolve += (sender, wanted) => Find(new AssemblyName(wanted.Name).Name);
#endif
        }

        /// <summary>Loads an assembly by its absolute path, with everything that it refers to.</summary>
        public static Assembly Load(string path)
        {
            if (!File.Exists(path))
            {
                throw new Refusal(Kinds.Assembly, "There is no such file.");
            }
            try
            {
                var set = new SetAssembly(path);
                var assembly = set.Open(path);
                if (Contract(assembly.GetName().Name) != null)
                {
                    throw new Refusal(Kinds.Assembly, "It has the name of a contract.");
                }
                set.Follow(assembly);
                return assembly;
            }
            catch (Exception exception) when (!(exception is Refusal))
            {
                throw new Refusal(Kinds.Assembly, Refusal.Words(exception));
            }
        }

        /// <summary>
        /// Loads what an assembly refers to, and what that refers to, before any of it can be
        /// looked for elsewhere. What the assembly itself refers to must be there. Libraries often
        /// refer to something that is not needed, so what they lack shows when it is used.
        /// </summary>
        private void Follow(Assembly assembly)
        {
            var seen = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
            var next = new Queue<Assembly>(new[] { assembly });
            while (next.Count > 0)
            {
                var from = next.Dequeue();
                foreach (var name in from.GetReferencedAssemblies())
                {
                    if (!seen.Add(name.Name) || Contract(name.Name) != null || (IsFramework(name.Name) && InRuntime(name)))
                    {
                        continue;
                    }
                    var found = Find(name.Name);
                    if (found != null)
                    {
                        next.Enqueue(found);
                    }
                    else if (from == assembly)
                    {
                        throw new Refusal(Kinds.Dependency, name.Name);
                    }
                }
            }
        }

        /// <summary>The assembly of a simple name that is a contract or lies in the set, or null.</summary>
        private Assembly Find(string name)
        {
            var contract = Contract(name);
            if (contract != null)
            {
                return contract;
            }
            var path = PathOf(name);
            return path == null ? null : Open(path);
        }

        private static Assembly Contract(string name) =>
            Contracts.FirstOrDefault(one => string.Equals(one.GetName().Name, name, StringComparison.OrdinalIgnoreCase));

        private static bool IsFramework(string name) =>
            name == "System" || name == "netstandard" || name == "mscorlib"
            || name.StartsWith("System.", StringComparison.Ordinal)
            || name.StartsWith("Microsoft.", StringComparison.Ordinal);

#if NETCOREAPP
        private Assembly Open(string path) => _context.LoadFromAssemblyPath(path);

        private static bool InRuntime(AssemblyName name)
        {
            try
            {
                return AssemblyLoadContext.Default.LoadFromAssemblyName(name) != null;
            }
            catch (Exception)
            {
                return false;
            }
        }

        private string PathOf(string name)
        {
            var path = _resolver.ResolveAssemblyToPath(new AssemblyName(name));
            return path != null && IsInside(path) ? path : null;
        }

        private bool IsInside(string path) =>
            Path.GetFullPath(path).StartsWith(_directory + Path.DirectorySeparatorChar, StringComparison.Ordinal);

        /// <summary>Asks the set first; for what it does not find the runtime is asked.</summary>
        private sealed class Context : AssemblyLoadContext
        {
            private readonly SetAssembly _set;

            public Context(SetAssembly set)
            {
                _set = set;
            }

            protected override Assembly Load(AssemblyName name)
            {
                var contract = Contract(name.Name);
                if (contract != null || (IsFramework(name.Name) && InRuntime(name)))
                {
                    return contract;
                }
                return _set.Find(name.Name);
            }

            protected override IntPtr LoadUnmanagedDll(string name)
            {
                var path = _set._resolver.ResolveUnmanagedDllToPath(name);
                return path != null && _set.IsInside(path) ? LoadUnmanagedDllFromPath(path) : IntPtr.Zero;
            }
        }
#else
        private Assembly Open(string path) => Assembly.LoadFrom(path);

        private static bool InRuntime(AssemblyName name)
        {
            try
            {
                return Assembly.Load(name) != null;
            }
            catch (Exception)
            {
                return false;
            }
        }

        private string PathOf(string name)
        {
            var path = Path.Combine(_directory, name + ".dll");
            return name.IndexOfAny(Path.GetInvalidFileNameChars()) < 0 && File.Exists(path) ? path : null;
        }
#endif
    }
}
