import { argv } from 'node:process';
import { besideOthers } from './beside-others.ts';
import { slowSockets } from './slow-sockets.ts';

const sections: Readonly<Record<string, () => Promise<void>>> = {
  'beside-others': besideOthers,
  'slow-sockets': slowSockets,
};

/** All of them, or the one that is named. */
const named = argv[2];
for (const [name, section] of Object.entries(sections)) {
  if (named === undefined || named === name) await section();
}
