/** When everything happens that the fakes tell of. */
export const at = '2026-03-01T17:00:00.000Z';
