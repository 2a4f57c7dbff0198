import { oneProcess, packageTests } from '../../vitest.shared.ts';

const wholeStacks = { ...oneProcess, testTimeout: 300_000, hookTimeout: 300_000 };

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
  ],
});
