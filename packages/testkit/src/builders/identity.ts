import { randomInt } from 'node:crypto';

/** Range of the cédulas with their own outcome in the sandbox; the builder creates none of them. */
const sandboxTable = { from: 2_450_000_000, to: 2_450_009_999 };

/** Generates a valid cédula of province 01 to 24 with a correct check digit, without meaning in the sandbox. */
export function makeCedula(): string {
  for (;;) {
    const province = String(randomInt(1, 25)).padStart(2, '0');
    const nine = `${province}${randomInt(0, 6)}${String(randomInt(0, 1_000_000)).padStart(6, '0')}`;
    const cedula = `${nine}${modulus10(nine)}`;
    if (Number(cedula) < sandboxTable.from || Number(cedula) > sandboxTable.to) return cedula;
  }
}

/** Computes the check digit: digits in odd positions count twice, less nine when above nine; it completes the tens. */
function modulus10(digits: string): number {
  const sum = Array.from(digits, Number).reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Derives the RUC of a natural person: the cédula and an establishment. */
export function makeRuc(cedula: string = makeCedula()): string {
  return `${cedula}001`;
}

export function makeReference(): string {
  return `TX-${Date.now().toString(36)}-${randomInt(1e9).toString(36)}`;
}
