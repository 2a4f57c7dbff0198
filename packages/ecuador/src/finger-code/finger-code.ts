export type FingerCodeResult = { ok: true; value: string } | { ok: false; reason: 'FORMAT' };

/**
 * Checks the fingerprint code printed on an identity card, e.g. `V4333V2222`: ten letters and
 * digits, at least one letter and six digits.
 * @returns the code in upper case
 */
export function checkFingerCode(text: string): FingerCodeResult {
  // ASCII is checked first: conversion to upper case could turn other scripts' letters into A–Z (ß → SS, ı → I).
  if (!/^[0-9A-Za-z]{10}$/.test(text)) return { ok: false, reason: 'FORMAT' };
  const letters = text.replaceAll(/[0-9]/g, '').length;
  if (letters < 1 || letters > 4) return { ok: false, reason: 'FORMAT' };
  return { ok: true, value: text.toUpperCase() };
}
