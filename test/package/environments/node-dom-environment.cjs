// As docs/guides/testing.md says, for jsdom.
const { TestEnvironment } = require('jest-environment-jsdom');

const names =
  'AbortController AbortSignal Blob FormData Headers ReadableStream Request Response TextDecoder TextEncoder URL URLSearchParams crypto fetch performance structuredClone';

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of names.split(' '))
      Object.defineProperty(this.global, name, {
        value: globalThis[name],
        configurable: true,
        writable: true,
      });
  }
};
