/** Maximum items that are decoded; a list with more is refused anyway. */
export const maxItems = 100;

/**
 * Limits of structure. Deep or crowded JSON needs far more memory than its bytes: `[` is one byte, the array that it
 * opens at least 32.
 */
export const structureLimits = { maxDepth: 32, maxMarks: 100_000, maxStrings: 50_000 } as const;
