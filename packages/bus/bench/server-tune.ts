import { connect } from 'nats';
import { connectBus, serveRouter } from '../src/index.ts';
import { benchRouter, confirm, type Order, ourPrefix, plainSubject } from './workload.ts';

const servers = process.argv[2];
if (servers === undefined) throw new Error('usage: server.ts <nats url>');

const bus = await connectBus({ servers, name: 'bench-server' });
await serveRouter(bus, {
  router: benchRouter,
  subjectPrefix: 'rpc.v1.t' + process.argv[3],
  queue: 'bench',
  createContext: ({ headers }) => ({ caller: headers.authorization ?? '' }),
});

process.send?.('ready');
process.on('disconnect', () => process.exit(0));
