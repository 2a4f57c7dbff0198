/** More items than any list may have are left alone: the list is refused anyway. */
export const maxItems = 100;

/** Deep or crowded JSON costs far more memory than its bytes: `[` is one byte, the array it opens at least 32. */
export const structureLimits = { maxDepth: 32, maxMarks: 100_000, maxStrings: 50_000 } as const;
