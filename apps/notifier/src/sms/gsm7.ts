/**
 * Characters of the GSM 7-bit default alphabet (3GPP TS 23.038 §6.2.1) without its extension table, whose characters
 * count twice. One other character would turn the whole SMS into UCS-2 with 70 characters.
 */
const basic = new Set(
  '@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** Maximum length of one SMS; a longer text is sent, and paid, in parts. */
export const maxSmsLength = 160;

export function isGsm7(text: string): boolean {
  return [...text].every((char) => basic.has(char));
}

/** Converts a text: accents that the alphabet lacks are removed (`á` → `a`), other missing characters become a dot. */
export function toGsm7(text: string): string {
  const chars = [...text.normalize('NFC')].map((char) => {
    if (basic.has(char)) return char;
    const bare = [...char.normalize('NFKD')].filter((part) => basic.has(part)).join('');
    return bare === '' ? '.' : bare;
  });
  return chars.join('');
}
