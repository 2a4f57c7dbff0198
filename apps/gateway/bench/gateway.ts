import { monitorEventLoopDelay } from 'node:perf_hooks';
import { testGateway } from '../test/support/gateway.ts';
import { answerQuestions } from './parts.ts';

/** The real gateway with a real nats-server and its object store. */
export interface Where {
  readonly url: string;
  readonly token: string;
}

/** Since the question before. */
export interface Strain {
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
  /** Most memory of the process above what it had at its start, bytes. */
  readonly peakBytes: number;
}

const gateway = await testGateway();
const token = await gateway.token();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const before = process.memoryUsage().rss;

answerQuestions(async (question: 'where' | 'strain') => {
  if (question === 'where') return { url: gateway.url, token } satisfies Where;
  const strain: Strain = {
    loopP99Ms: delay.percentile(99) / 1e6,
    loopMaxMs: delay.max / 1e6,
    peakBytes: process.resourceUsage().maxRSS * 1024 - before,
  };
  delay.reset();
  // What the fakes noted is not the gateway's memory.
  gateway.state.registered.length = 0;
  return strain;
});
process.once('disconnect', () => void gateway[Symbol.asyncDispose]());
