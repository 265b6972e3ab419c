import base from '../../vitest.config.ts';

/** The tests of the fleet need the packages of the example, and a PostgreSQL server at DATABASE_URL. */
export default {
  ...base,
  test: {
    ...base.test,
    include: ['test/fleet/**/*.test.ts'],
    exclude: [],
    typecheck: { enabled: false },
    testTimeout: 90_000,
  },
};
