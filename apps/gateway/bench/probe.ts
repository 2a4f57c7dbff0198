import { argv } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { answerQuestions } from './parts.ts';

/** Small calls, one after the other. */
const { url, token } = JSON.parse(argv[2] as string) as { url: string; token: string };
const address = `${url}/middleware/signature-request/status?referenceTransaction=TX-1`;
const headers = { authorization: `Bearer ${token}` };
const pauseMs = 2;
let times: number[] = [];
let refusals = 0;

async function run(): Promise<void> {
  while (process.connected) {
    const start = performance.now();
    const answer = await fetch(address, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) refusals += 1;
    times.push(performance.now() - start);
    await delay(pauseMs);
  }
}

/** Milliseconds each call took since the question before; or how many were refused since then. */
answerQuestions(async (question: string) => {
  if (question === 'refusals') {
    const counted = refusals;
    refusals = 0;
    return counted;
  }
  const taken = times;
  times = [];
  return taken;
});
void run();
