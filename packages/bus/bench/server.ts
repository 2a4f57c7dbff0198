import { connect } from 'nats';
import { connectBus, serveRouter } from '../src/index.ts';
import { benchRouter, confirm, type Order, ourPrefix, plainSubject } from './workload.ts';

const servers = process.argv[2];
if (servers === undefined) throw new Error('usage: server.ts <nats url>');

const bus = await connectBus({ servers, name: 'bench-server' });
await serveRouter(bus, {
  router: benchRouter,
  subjectPrefix: ourPrefix,
  queue: 'bench',
  createContext: ({ headers }) => ({ caller: headers.authorization ?? '' }),
});

const plain = await connect({ servers });
plain.subscribe(plainSubject, {
  queue: 'bench',
  callback: (error, message) => {
    if (error === null) message.respond(JSON.stringify(confirm(message.json<Order>())));
  },
});
await plain.flush();
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
