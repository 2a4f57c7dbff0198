const MEBIBYTE = 1024 * 1024;

/** Limits of a file, by its kind; the first three are settings. */
export interface FileLimits {
  readonly image: {
    readonly maxPixels: number;
    readonly maxSidePixels: number;
    /** Scans of a progressive JPEG. Each covers the whole picture; encoders make about ten. */
    readonly maxScans: number;
    /** Texts and colour profile of a PNG, unpacked. */
    readonly maxTextBytes: number;
    readonly maxTexts: number;
  };
  readonly pdf: {
    readonly maxPages: number;
    /** Objects of one stream, unpacked; `maxUnpackedBytes` is for all streams. */
    readonly maxStreamBytes: number;
    readonly maxUnpackedBytes: number;
    readonly maxStreams: number;
    readonly maxBrokenStreams: number;
  };
}

export interface FileLimitSettings {
  readonly maxMegapixels: number;
  readonly maxSidePixels: number;
  readonly maxPages: number;
}

export function fileLimits({ maxMegapixels, maxSidePixels, maxPages }: FileLimitSettings): FileLimits {
  return {
    image: {
      maxPixels: maxMegapixels * 1_000_000,
      maxSidePixels,
      maxScans: 100,
      maxTextBytes: 8 * MEBIBYTE,
      maxTexts: 1_000,
    },
    pdf: {
      maxPages,
      maxStreamBytes: 32 * MEBIBYTE,
      maxUnpackedBytes: 256 * MEBIBYTE,
      maxStreams: 20_000,
      maxBrokenStreams: 200,
    },
  };
}
