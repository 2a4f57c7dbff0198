/** Checks the province of registration: 01–24, or 30 for Ecuadorians registered abroad. */
export function hasKnownProvince(digits: string): boolean {
  const province = Number(digits.slice(0, 2));
  return (province >= 1 && province <= 24) || province === 30;
}

/**
 * Computes the modulus-10 check digit of a cédula.
 * @param firstNine the nine digits before the check digit
 */
export function modulus10(firstNine: string): number {
  let sum = 0;
  for (const [index, char] of [...firstNine].entries()) {
    const product = Number(char) * (index % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return (10 - (sum % 10)) % 10;
}

/**
 * Computes the modulus-11 check digit of a company's RUC.
 * @returns 0–9, or 10 if no single digit satisfies the scheme
 */
export function modulus11(digits: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return (11 - (sum % 11)) % 11;
}
