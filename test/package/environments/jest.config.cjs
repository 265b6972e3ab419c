/** `HOW` chooses how TypeScript becomes JavaScript; `DOM` an environment that imitates a browser. */
const swc = (type) => [
  '@swc/jest',
  { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type } },
];
const tsconfig = {
  module: 'commonjs',
  moduleResolution: 'node10',
  target: 'es2022',
  strict: true,
  esModuleInterop: true,
  types: ['node', 'jest'],
};
const how = {
  'ts-jest': { transform: { '\\.ts$': ['ts-jest', { tsconfig }] } },
  'swc to CommonJS': { transform: { '\\.ts$': swc('commonjs') } },
  'swc to ES modules': { transform: { '\\.ts$': swc('es6') }, extensionsToTreatAsEsm: ['.ts'] },
};

module.exports = { testEnvironment: process.env.DOM ?? 'node', ...how[process.env.HOW] };
