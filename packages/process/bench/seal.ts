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

interface Cost {
  readonly wallMs: number;
  /** Of all threads: `jose` works in others too. Says the same on a busy machine. */
  readonly processorMs: number;
}

async function measure(work: () => unknown): Promise<Cost> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  for (let call = 0; call < callsPerRound; call += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return {
    wallMs: (performance.now() - started) / callsPerRound,
    processorMs: (user + system) / 1_000 / callsPerRound,
  };
}

const samples = new Map(Object.keys(works).map((name) => [name, [] as Cost[]]));
// In turn, so that a slow moment of the machine meets all of them.
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, work] of Object.entries(works)) {
    const cost = await measure(work);
    if (round > 0) samples.get(name)?.push(cost);
  }
}

function medianOf(name: string, figure: keyof Cost): number {
  const sorted = samples
    .get(name)
    ?.map((cost) => cost[figure])
    .toSorted((a, b) => a - b);
  return sorted?.[Math.floor(rounds / 2)] ?? 0;
}

const write = (...columns: string[]) =>
  process.stdout.write(`${columns.map((text, index) => text.padEnd(index === 0 ? 30 : 18)).join('')}\n`);

write('', 'processor', 'wall', 'processor, of jose');
for (const name of samples.keys()) {
  const [processor, wall] = [medianOf(name, 'processorMs'), medianOf(name, 'wallMs')];
  const ratio = medianOf(`${name.slice(0, 4)}, jose`, 'processorMs') / processor;
  write(name, `${processor.toFixed(3)} ms`, `${wall.toFixed(3)} ms`, `1/${ratio.toFixed(1)}`);
}
