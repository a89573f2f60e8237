using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

namespace Countersign.DotnetHost
{
    /// <summary>
    /// The lines between the host and whoever started it. What is written to the standard output by
    /// anybody else, an assembly or a program that it starts, goes to the standard error instead.
    /// </summary>
    internal sealed class Channel
    {
        private const int Output = 1;
        private const int Error = 2;

        // Linux's F_DUPFD_CLOEXEC: the copy is not passed on to programs that are started.
        private const int CopyForUsAlone = 1030;

        // EINTR is the same on all systems.
        private const int Interrupted = 4;

        private readonly StreamReader _in;
        private readonly Action<byte[]> _write;

        private Channel(Action<byte[]> write)
        {
            _in = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            _write = write;
        }

        public static Channel Open()
        {
            var channel = new Channel(OwnOutput());
            Console.SetIn(TextReader.Null);
            Console.SetOut(Console.Error);
            return channel;
        }

        /// <summary>The next line, null when there is none.</summary>
        public string Read() => _in.ReadLine();

        public void Write(string line) => _write(new UTF8Encoding(false).GetBytes(line + "\n"));

        private static Action<byte[]> OwnOutput()
        {
            if (Environment.OSVersion.Platform != PlatformID.Unix)
            {
                var output = Console.OpenStandardOutput();
                return bytes => output.Write(bytes, 0, bytes.Length);
            }
            var own = Directory.Exists("/proc/self") ? fcntl(Output, CopyForUsAlone, Error + 1) : dup(Output);
            if (own < 0 || dup2(Error, Output) < 0)
            {
                throw new IOException("The standard output cannot be moved.");
            }
            return bytes => WriteAll(own, bytes);
        }

        // Mono makes no stream of a descriptor that it did not open.
        private static void WriteAll(int descriptor, byte[] bytes)
        {
            var pinned = GCHandle.Alloc(bytes, GCHandleType.Pinned);
            try
            {
                for (var at = 0; at < bytes.Length;)
                {
                    var n = (long)write(descriptor, Marshal.UnsafeAddrOfPinnedArrayElement(bytes, at), (IntPtr)(bytes.Length - at));
                    if (n >= 0)
                    {
                        at += (int)n;
                    }
                    else if (Marshal.GetLastWin32Error() != Interrupted)
                    {
                        throw new IOException("Nobody reads the answer.");
                    }
                }
            }
            finally
            {
                pinned.Free();
            }
        }

        [DllImport("libc", SetLastError = true)]
        private static extern int dup(int descriptor);

        [DllImport("libc", SetLastError = true)]
        private static extern int dup2(int from, int to);

        [DllImport("libc", SetLastError = true)]
        private static extern int fcntl(int descriptor, int command, int argument);

        [DllImport("libc", SetLastError = true)]
        private static extern IntPtr write(int descriptor, IntPtr bytes, IntPtr count);
    }
}
