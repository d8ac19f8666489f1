import { defineConfig } from 'vitest/config';
import config, { projects } from '../../../vitest.config.ts';

/** Runs the files of this folder that are named on the command line, as the suite would. */
const files = { include: ['test/package/failing/*.ts'], exclude: ['**/vitest.config.ts'] };
const here = projects.map(project => ({ ...project, test: { ...project.test, ...files } }));
export default defineConfig({ test: { ...config.test, projects: here } });
