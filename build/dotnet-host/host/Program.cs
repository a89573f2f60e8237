using System;

namespace Countersign.DotnetHost
{
    /// <summary>
    /// Loads the assembly of a tool set and answers JSON lines from standard input on standard
    /// output until the input ends.
    /// </summary>
    internal static class Program
    {
        private static void Main(string[] arguments)
        {
            if (arguments.Length != 1)
            {
                Console.Error.WriteLine("usage: countersign-dotnet-host ASSEMBLY");
                Environment.Exit(64);
            }
            var channel = Channel.Open();
            var host = new Host(arguments[0]);
            for (var line = channel.Read(); line != null; line = channel.Read())
            {
                channel.Write(host.Answer(line));
            }

            // Threads that a tool left running would keep the process alive.
            Environment.Exit(0);
        }
    }
}
