<?php
// php payout.php 200            quotes 200 USD in naira
// php payout.php 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
[, $amount, $agreed] = $argv + [2 => null];
$query = ["from" => "USD", "to" => "NGN", "amount" => $amount, "basis" => "customer"];
$query += ["max_age" => 300, "min_confidence" => "medium"];
if ($agreed !== null) {
    $query += ["expect" => $agreed, "tolerance" => "0.5"];
}
$base = getenv("RATES_URL") ?: "http://localhost:3000";
$request = curl_init("$base/v1/convert?" . http_build_query($query));
curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 30]);
$body = json_decode(curl_exec($request) ?: "null", true);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
    echo "do not pay: ", $body["code"] ?? "no answer", ": ", $body["detail"] ?? curl_error($request), "\n";
    exit(1);
}
["rate" => $rate, "result" => $result] = $body["data"];
echo $agreed === null ? "quote: $rate\n" : sprintf("pay: %.2f NGN at %s\n", $result, $rate);
