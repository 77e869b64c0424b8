# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of invented logs of Nsight Compute, in the shape that its documentation gives --csv, and of invented results."""

import json
import unittest

from reporting import HERE, ReportTest, metrics_in

ROW = {"operation": "formats_spmm", "matrix": "block_diagonal_1_256", "rows": 256, "cols": 256, "nnz": 65536, "k": 32,
       "value_type": "f32", "implementation": "heddle::cuda_native::row_segments", "format": "row_segmented",
       "parameters": "4,1,1", "layout": "row", "median_ms": 0.1, "gflops": 50.0, "device": "a device"}
SEGMENTS, SAMPLE = HERE / "ncu_row_segments.csv", HERE / "ncu_sample.csv"


class Paper000(ReportTest):
    def lines(self, rows, *arguments):
        return self.run_well("paper-000", self.write("results.jsonl", rows), *arguments).cells[2:]

    def test_shares_and_least_words(self):
        rows = [{"operation": "self_check", "matrix": ""}, ROW, {**ROW, "value_type": "f64", "parameters": "2,1,1"}]
        self.assertEqual(
            self.lines(rows, "--shared-gbytes-per-s", 400),
            [
                ["k", "CF_V", "ms", "GFLOPS", "bound", "% of it", "1e9 words at least", "counted"],
                # 65536 32 + 256 32 + 65536 32 / (32 4) words; 100 Gwords/s.
                ["f32", "32", "4", "0.1", "50.00", "200.00", "25.0", "0.002122", "-"],
                ["f64", "32", "2", "0.1", "50.00", "100.00", "50.0", "0.002138", "-"],
                ["f32, paper on a P100", "65536", "4", "-", "2495.81", "3954.50", "63.1", "4433", "-"],
            ],
        )

    def test_the_bandwidth_of_the_rows_counts_unless_one_is_given(self):
        row = {**ROW, "machine_shared_gbytes_per_s": 800}
        self.assertEqual(self.lines([row])[1][5:7], ["400.00", "12.5"])
        self.assertEqual(self.lines([row], "--shared-gbytes-per-s", 400)[1][5:7], ["200.00", "25.0"])
        self.refused("--shared-gbytes-per-s has to say", "paper-000", self.write("results.jsonl", [ROW]))

    def test_counts_stand_beside_the_case_that_was_profiled(self):
        rows = [ROW, {**ROW, "k": 128}, {**ROW, "parameters": "2,1,1"}, {**ROW, "value_type": "f64"}]
        lines = self.lines(rows, "--shared-gbytes-per-s", 400, "--profile", SEGMENTS, "--profile-k", 32)
        # 63,000 wavefronts of 128 bytes and 15,000 sectors of 32, of both launches.
        self.assertEqual([line[8] for line in lines[1:5]], ["0.002136", "-", "-", "-"])

    def test_a_log_without_counts_costs_the_counts_alone(self):
        text = SEGMENTS.read_text(encoding="utf-8")
        heavy_only = "".join(line for line in text.splitlines(keepends=True) if not line.startswith('"0"'))
        for log, reason in (("==WARNING== No kernels were profiled.\n", "No kernels were profiled"),
                            (heavy_only, "1 launches of kernels, expected 2"),
                            (text.replace('"4,000"', '"n/a"'), "no count of l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum")):
            done = self.run_well("paper-000", self.write("results.jsonl", [ROW]), "--shared-gbytes-per-s", 400,
                                 "--profile", self.write("log.csv", log), "--profile-k", 32)
            self.assertIn(reason, done.err)
            self.assertRegex(done.out, r"f32 +32 +4 .* -\n")

    def test_results_without_times_are_refused_with_their_reasons(self):
        skipped = {key: value for key, value in ROW.items() if key != "median_ms"}
        for rows, reason in (([{**skipped, "skipped": "no memory"}], "skipped: no memory"), ("no JSON\n", "line 1: not a JSON"),
                             ([{**ROW, "format": "csr", "parameters": ""}], "no times of row segments")):
            self.refused(reason, "paper-000", self.write("results.jsonl", rows))

    def test_usage(self):
        results = self.write("results.jsonl", [ROW])
        self.refused("go together", "paper-000", results, "--profile", SEGMENTS, code=2)
        self.refused("above 0", "paper-000", results, "--shared-gbytes-per-s", 0, code=2)


class Paper004(ReportTest):
    def figures(self, text):
        """Name, paper's figure and ours of each row."""
        return {line[0]: line[1:] for line in self.run_well("paper-004-profile", self.write("log.csv", text)).cells[3:]}

    def test_every_row_in_the_units_of_the_paper(self):
        figures = self.figures(SAMPLE.read_text(encoding="utf-8"))
        self.assertEqual(
            figures,
            {
                "execution time": ["7.02 ms", "0.4128 ms"],
                "grid size": ["343 x 344 x 1", "171 x 172 x 1"],
                "block size": ["8 x 8 x 1", "8 x 8 x 1"],
                "registers/thread": ["40", "32"],
                "shared memory of a block": ["512 kB", "512 bytes"],
                "device memory throughput (read)": ["212.59 GB/s", "2,500 GB/s"],
                "device memory throughput (write)": ["1.34 GB/s", "12.34 GB/s"],
                "shared memory throughput (load)": ["25.78 GB/s", "128 GB/s"],  # 1e9 wavefronts of 128 bytes
                "shared memory throughput (store)": ["17.19 GB/s", "64 GB/s"],
                "L2 throughput (read)": ["24.36 GB/s", "3,200 GB/s"],  # 1e11 sectors of 32 bytes
                "L2 throughput (write)": ["1.07 GB/s", "16 GB/s"],
                "L2 hit rate": ["30.34 %", "41.26 %"],
                "shared memory efficiency": ["100 %", "n/a"],
                "warp execution efficiency": ["100 %", "75 %"],  # 24 of 32 threads
                "instructions per warp": ["250,053", "1,234"],
                "issued instructions per cycle (IPC)": ["1.30", "0.82"],
                "executed instructions per cycle (IPC)": ["0.75", "0.81"],
                "achieved occupancy": ["0.47", "0.47"],
                "multiprocessor activity": ["99.8 %", "98.76 %"],
            },
        )

    def test_the_kernel_is_named(self):
        text = self.run_well("paper-004-profile", SAMPLE).out
        self.assertTrue(text.startswith("void heddle::cuda_native::spmv_sellp_paper_kernel<double, int, int>("))

    def test_units_with_prefixes(self):
        text = SAMPLE.read_text(encoding="utf-8")
        text = text.replace('"ns","412,800"', '"us","412.8"').replace('"byte/second","12,340,000,000"', '"Gbyte/s","12.34"')
        figures = self.figures(text)
        self.assertEqual(figures["execution time"][1], "0.4128 ms")
        self.assertEqual(figures["device memory throughput (write)"][1], "12.34 GB/s")

    def test_a_metric_that_is_not_there_is_no_number(self):
        lines = SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)
        figures = self.figures("".join(line for line in lines if "lts__t_sector_hit_rate" not in line))
        self.assertEqual(figures["L2 hit rate"][1], "n/a")

    def test_logs_without_one_kernel_are_refused_with_what_ncu_said(self):
        error = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters"
        text = SAMPLE.read_text(encoding="utf-8")
        rows = [line for line in text.splitlines(keepends=True) if line.startswith('"0"')]
        for log, reason in ((f"==PROF== Connected\n{error}\n", "\n  ==ERROR== ERR_NVGPUCTRPERM"),
                            (text + rows[0].replace('"0"', '"1"', 1), "2 launches"),
                            (text.replace("Metric Value", "Value"), "no column Metric Value")):
            self.refused(reason, "paper-004-profile", self.write("log.csv", log))


class SpgemmPhases(ReportTest):
    TIME = {"operation": "spgemm", "matrix": "m", "nnz": 10, "products_nnz": 20, "value_type": "f64",
            "implementation": "heddle::auto", "median_ms": 2.0, "gbytes_per_s": 100.0, "machine_gbytes_per_s": 400.0,
            "device": "a device", "commit": "abc"}
    KERNELS = (("heddle::cuda_native::spgemm_bound_factor_kernel<int>(int)", 100), ("cub::detail::scan::DeviceScanKernel<int>(int)", 30),
               ("heddle::cuda_native::list_row_bins_kernel<int>(int)", 20),
               ("heddle::cuda_native::spgemm_find_merged_kernel<4, 2>(int)", 300),
               ("heddle::cuda_native::spgemm_sorted_kernel<4>(int)", 200), ("heddle::cuda_native::spgemm_sum_kernel<32>(int)", 400),
               ("heddle::cuda_native::spgemm_searched_kernel<32>(int)", 50),
               ("heddle::cuda_native::spgemm_multiply_sorted_kernel<int>(int)", 60), ("elsewhere<int>(int)", 7))

    def write_all(self, rows, kernels):
        self.write("times.jsonl", rows)
        body = "".join(f'"{n}","void {name}","gpu__time_duration.sum","us","{value}"\n' for n, (name, value) in enumerate(kernels))
        head = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
        self.write("kernels/m.csv", "==PROF== Connected\n" + head + body)

    def test_steps_add_up(self):
        more = [{**self.TIME, "operation": "spgemm_numeric"}, {**self.TIME, "matrix": "without a profile"}]
        self.write_all([self.TIME, *more], self.KERNELS)
        done = self.run_well("spgemm-phases", self.folder)
        (row,) = map(json.loads, (self.folder / "spgemm_phases.jsonl").read_text(encoding="utf-8").splitlines())
        expected = {"survey": 0.1, "classes": 0.02, "columns found": 0.5, "columns placed": 0.03, "sums": 0.45,
                    "both at once": 0.06, "others": 0.007}
        self.assertEqual(row["steps_ms"].keys(), expected.keys())
        for step, milliseconds in expected.items():
            self.assertAlmostEqual(row["steps_ms"][step], milliseconds)
        self.assertEqual(row["launches"], len(self.KERNELS))
        self.assertAlmostEqual(row["bound_ms"], 0.5)  # 100 of 400 GB/s for 2 ms
        self.assertEqual(next(line for line in done.cells if line[0] == "m")[-4:], ["0.833", "9", "0.5", "25"])

    def test_a_kernel_without_a_time_is_said(self):
        self.write_all([self.TIME], [(self.KERNELS[0][0], "n/a")])
        self.refused("no time of void heddle::cuda_native::spgemm_bound_factor_kernel(.|\n)*no matrix has both", "spgemm-phases", self.folder,
                     code=1)


class Usage(ReportTest):
    def test_metrics_that_are_asked_for_are_those_of_the_samples(self):
        for command, log in (("paper-000", SEGMENTS), ("paper-003", HERE / "ncu_dram.csv"), ("paper-004-profile", SAMPLE)):
            self.assertEqual(sorted(self.run_well(command, "--metrics").out.strip().split(",")), metrics_in(log))
        self.assertEqual(self.run_well("spgemm-phases", "--metrics").out.strip(), "gpu__time_duration.sum")

    def test_every_command_needs_a_file_that_is_there(self):
        for command in ("paper-000", "paper-001", "paper-003", "paper-003-spgemm", "paper-004-profile", "spgemm-phases", "quickstart"):
            self.run_well(command, "--help")
            self.refused("OUT_DIR" if command == "paper-003-spgemm" else "required", command, code=2)
            self.refused("missing", command, self.folder / "missing")


if __name__ == "__main__":
    unittest.main()
