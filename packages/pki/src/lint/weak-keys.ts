/** Signs of keys that can be broken. Numbers are non-negative. */

function primesBelow(limit: number): number[] {
  const primes: number[] = [];
  for (let n = 2; n < limit; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

function multiply(primes: readonly number[]) {
  return primes.reduce((all, prime) => all * BigInt(prime), 1n);
}

/** Primes below 752, the limit of CABF BR §6.1.6. */
const smallPrimes = primesBelow(752);
const smallPrimesProduct = multiply(smallPrimes);

/** Finds the smallest prime below 752 that divides the number. */
export function smallFactor(modulus: bigint): number | undefined {
  // One division of the large number; the others work on a remainder half as long.
  const rest = modulus % smallPrimesProduct;
  return smallPrimes.find((prime) => rest % BigInt(prime) === 0n);
}

/**
 * Primes for which the powers of 65537 modulo them are few (CVE-2017-15361; Nemec et al., "The Return of Coppersmith's
 * Attack", 2017). The affected chips generated primes that are such powers modulo all of them, so their products are
 * too.
 */
const rocaPrimes = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157];
export const rocaProduct = multiply(rocaPrimes);
const rocaPowers = rocaPrimes.map((prime) => {
  const powers = new Set([1]);
  for (let power = 65537 % prime; power !== 1; power = (power * 65537) % prime) powers.add(power);
  return { prime: BigInt(prime), powers };
});

/** Tells whether the modulus has the mark of the ROCA weakness. By chance one in about 2^27 has it. */
export function hasRocaMark(modulus: bigint): boolean {
  const rest = modulus % rocaProduct;
  return rocaPowers.every(({ prime, powers }) => powers.has(Number(rest % prime)));
}

const FERMAT_ITERATIONS = 100;

/** Residues of squares; three quick tests avoid nearly every square root. */
const squareResidues = [64n, 63n, 65n].map((by) => ({
  by,
  squares: new Set(Array.from({ length: Number(by) }, (_, n) => (BigInt(n) * BigInt(n)) % by)),
}));

/**
 * Tells whether Fermat's method finds the factors in 100 iterations, as it does if they are close (CABF BR §6.1.1.3).
 */
export function hasCloseFactors(modulus: bigint): boolean {
  let a = squareRoot(modulus);
  if (a * a < modulus) a += 1n;
  let rest = a * a - modulus;
  for (let iteration = 0; iteration < FERMAT_ITERATIONS; iteration++) {
    if (isSquare(rest)) return true;
    rest += 2n * a + 1n;
    a += 1n;
  }
  return false;
}

function isSquare(value: bigint): boolean {
  if (!squareResidues.every(({ by, squares }) => squares.has(value % by))) return false;
  const root = squareRoot(value);
  return root * root === value;
}

/** Computes the largest integer whose square does not exceed `value` (Newton's method from above). */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(16).length / 2) * 4);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

const P256 = {
  prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
};

/** Tells whether an uncompressed point lies on P-256 (SP 800-186 §3.2.1.3). */
export function isOnP256(point: Uint8Array): boolean {
  const x = toBigInt(point.subarray(1, 33));
  const y = toBigInt(point.subarray(33));
  const { prime, b } = P256;
  const isReduced = x < prime && y < prime;
  return isReduced && (y * y - (x * x * x - 3n * x + b)) % prime === 0n;
}

/** Converts big-endian octets to a number. */
export function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
