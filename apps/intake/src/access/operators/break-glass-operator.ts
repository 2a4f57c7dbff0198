/**
 * Operator of break-glass sessions: one shared row for every session. It has no password; only the command
 * creates its link.
 */
export const breakGlassOperator = {
  id: '00000000-0000-7000-8000-0000000b4ea6',
  email: 'break-glass@rubrica.invalid',
} as const;
