/**
 * Whoever opens a break-glass session: one person, whoever it is, with a row like an operator's. It has no password; its link
 * is made by the command alone.
 */
export const breakGlassOperator = {
  id: '00000000-0000-7000-8000-0000000b4ea6',
  email: 'break-glass@rubrica.invalid',
} as const;
