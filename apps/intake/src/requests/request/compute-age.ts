/**
 * Computes the completed years on `today`, both dates `yyyy-MM-dd`. A person born on 29 February turns older
 * on 1 March.
 */
export function computeAge(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
