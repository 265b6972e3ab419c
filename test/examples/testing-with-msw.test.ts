// The example is a test file: importing it runs its tests here.
import '../../examples/testing-with-msw/checkout.test.ts';
