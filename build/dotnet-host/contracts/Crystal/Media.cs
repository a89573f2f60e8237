using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

using Crystal.Tools;

namespace Crystal.Media
{
    /// <summary>How the bytes of a medium are reached.</summary>
    public sealed class MediaSourceKind
    {
        public static MediaSourceKind Inline { get; } = new MediaSourceKind("inline");

        public static MediaSourceKind Uri { get; } = new MediaSourceKind("uri");

        public static MediaSourceKind ReplayableStream { get; } = new MediaSourceKind("replayable_stream");

        private MediaSourceKind(string value)
        {
            Value = value;
        }

        public string Value { get; }

        public override string ToString() => Value;
    }

    /// <summary>Where the bytes of a medium are.</summary>
    public abstract class MediaSource
    {
        internal MediaSource()
        {
        }

        public abstract MediaSourceKind Kind { get; }

        public abstract long? Length { get; }

        public abstract DateTimeOffset? ExpiresAt { get; }
    }

    /// <summary>Bytes that are at hand.</summary>
    public sealed class InlineMediaSource : MediaSource
    {
        private readonly byte[] _data;

        public InlineMediaSource(ReadOnlyMemory<byte> data)
        {
            if (data.IsEmpty)
            {
                throw new ArgumentException("A medium has at least one byte.", nameof(data));
            }
            _data = data.ToArray();
        }

        public override MediaSourceKind Kind => MediaSourceKind.Inline;

        public override long? Length => _data.LongLength;

        public override DateTimeOffset? ExpiresAt => null;

        public ReadOnlyMemory<byte> Data => (byte[])_data.Clone();
    }

    /// <summary>Bytes at an address, which nobody here fetches.</summary>
    public sealed class UriMediaSource : MediaSource
    {
        public UriMediaSource(Uri uri, long? length = null, DateTimeOffset? expiresAt = null)
        {
            Uri = uri ?? throw new ArgumentNullException(nameof(uri));
            Length = length;
            ExpiresAt = expiresAt;
        }

        public Uri Uri { get; }

        public override MediaSourceKind Kind => MediaSourceKind.Uri;

        public override long? Length { get; }

        public override DateTimeOffset? ExpiresAt { get; }
    }

    /// <summary>Opens a stream at its beginning, which the caller closes.</summary>
    public delegate ValueTask<Stream> MediaStreamFactory(CancellationToken cancellationToken);

    /// <summary>Bytes that can be read any number of times.</summary>
    public sealed class ReplayableStreamMediaSource : MediaSource
    {
        private readonly MediaStreamFactory _factory;

        public ReplayableStreamMediaSource(MediaStreamFactory factory, long? length = null, DateTimeOffset? expiresAt = null)
        {
            _factory = factory ?? throw new ArgumentNullException(nameof(factory));
            Length = length;
            ExpiresAt = expiresAt;
        }

        public override MediaSourceKind Kind => MediaSourceKind.ReplayableStream;

        public override long? Length { get; }

        public override DateTimeOffset? ExpiresAt { get; }

        public async ValueTask<Stream> OpenReadAsync(CancellationToken cancellationToken = default(CancellationToken))
        {
            var stream = await _factory(cancellationToken).ConfigureAwait(false);
            if (stream == null || !stream.CanRead)
            {
                throw new InvalidOperationException("The factory returned no stream that can be read.");
            }
            return stream;
        }
    }

    /// <summary>What kind of medium the bytes are.</summary>
    public sealed class MediaMimeType
    {
        public MediaMimeType(string value)
        {
            Require.Words(value, nameof(value));
            Value = value;
        }

        public string Value { get; }

        public override string ToString() => Value;
    }

    /// <summary>Width and height in pixels.</summary>
    public sealed class PixelSize
    {
        public PixelSize(int width, int height)
        {
            if (width <= 0 || height <= 0)
            {
                throw new ArgumentOutOfRangeException(width <= 0 ? nameof(width) : nameof(height));
            }
            Width = width;
            Height = height;
        }

        public int Width { get; }

        public int Height { get; }
    }

    /// <summary>An image.</summary>
    public sealed class ImageMedia
    {
        public ImageMedia(MediaSource source, MediaMimeType mimeType, PixelSize pixelSize = null)
        {
            Source = source ?? throw new ArgumentNullException(nameof(source));
            MimeType = mimeType ?? throw new ArgumentNullException(nameof(mimeType));
            PixelSize = pixelSize;
        }

        public MediaSource Source { get; }

        public MediaMimeType MimeType { get; }

        public PixelSize PixelSize { get; }
    }
}
