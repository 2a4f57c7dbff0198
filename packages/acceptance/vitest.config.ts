import { oneProcess, packageTests, patience } from '../../vitest.shared.ts';

const wholeStacks = { ...oneProcess, ...patience };

export default packageTests({
  more: [
    {
      test: {
        ...wholeStacks,
        name: 'e2e',
        include: ['e2e/*.e2e.test.ts'],
        globalSetup: 'e2e/support/shared-stack.ts',
      },
    },
    { test: { ...wholeStacks, name: 'own-stack', include: ['e2e/own-stack/*.e2e.test.ts'] } },
    {
      test: {
        ...wholeStacks,
        name: 'drills',
        include: ['drills/*.drill.test.ts'],
        testTimeout: 1_800_000,
        hookTimeout: 1_800_000,
      },
    },
  ],
});
