/** Prints what sealing and opening cost, with our module and with `jose`, one after the other on one machine. */
import { CompactEncrypt, compactDecrypt, importJWK } from 'jose';
import { binding, makeSealing } from '../test/sealing.ts';

const rounds = 5;
const callsPerRound = 2_000;
const alg = 'ECDH-ES+A256KW';
const crit = { pur: true, own: true };
const { seal, open, newSealer, newOpener, kid, jwk, publicJwk } = makeSealing();
const [publicKey, privateKey] = [await importJWK(publicJwk, alg), await importJWK(jwk, alg)];
const data = Buffer.from('Contraseña del certificado 2026');

const sealWithJose = () =>
  new CompactEncrypt(data)
    .setProtectedHeader({
      alg,
      enc: 'A256GCM',
      kid,
      pur: binding.purpose,
      own: binding.owner,
      crit: ['pur', 'own'],
    })
    .encrypt(publicKey, { crit });

const message = seal(data);
const works: Record<string, () => unknown> = {
  'seal, agreed key at hand': () => seal(data),
  'seal, agreed key made anew': () => newSealer()(data),
  'seal, jose': sealWithJose,
  'open, agreed key at hand': () => open(message, binding),
  'open, agreed key made anew': () => newOpener()(message, binding),
  'open, jose': () => compactDecrypt(message, privateKey, { crit }),
};

async function measure(work: () => unknown): Promise<number> {
  const started = performance.now();
  for (let call = 0; call < callsPerRound; call += 1) await work();
  return (performance.now() - started) / callsPerRound;
}

const samples = new Map(Object.keys(works).map((name) => [name, [] as number[]]));
// In turn, so that a slow moment of the machine meets all of them.
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, work] of Object.entries(works)) {
    const milliseconds = await measure(work);
    if (round > 0) samples.get(name)?.push(milliseconds);
  }
}

const medianOf = (name: string) => samples.get(name)?.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
for (const name of samples.keys()) {
  const ratio = medianOf(`${name.slice(0, 4)}, jose`) / medianOf(name);
  process.stdout.write(
    `${name.padEnd(30)} ${medianOf(name).toFixed(3)} ms   ${`1/${ratio.toFixed(1)} of jose`.padStart(14)}\n`,
  );
}
process.exit(0);
