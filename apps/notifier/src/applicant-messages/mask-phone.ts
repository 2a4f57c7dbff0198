/** Masks a number: `+593991234123` becomes `+593*****123`, enough to recognise, too little to call. */
export function maskPhone(phone: string): string {
  const isLong = phone.length >= 11;
  return `${phone.slice(0, isLong ? 4 : 2)}*****${isLong ? phone.slice(-3) : ''}`;
}
