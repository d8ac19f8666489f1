import fc from 'fast-check';

// In CI the same random cases every time, so that only a code change can change the result; elsewhere new ones each run.
if (process.env.CI) fc.configureGlobal({ seed: 20_260_315 });
