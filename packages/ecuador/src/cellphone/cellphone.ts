export type CellphoneFault = 'FORMAT' | 'NOT_A_CELLPHONE';
export type CellphoneResult = { ok: true; value: string } | { ok: false; reason: CellphoneFault };

/**
 * Checks a cell phone number in international format (ITU-T E.164: a plus sign and at most 15 digits). Ecuadorian
 * numbers must be mobile: `+5939` and eight digits.
 */
export function checkCellphone(text: string): CellphoneResult {
  // The shortest national numbering plan has seven digits including its country code.
  if (!/^\+[1-9][0-9]{6,14}$/.test(text)) return { ok: false, reason: 'FORMAT' };
  if (text.startsWith('+593') && !/^\+5939[0-9]{8}$/.test(text)) {
    return { ok: false, reason: 'NOT_A_CELLPHONE' };
  }
  return { ok: true, value: text };
}
