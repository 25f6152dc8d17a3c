<?php
// What a client that is generated for PHP, in the folder given, reads from the service whose address is given.

namespace GuzzleHttp\Psr7 {
    require '/usr/share/php/GuzzleHttp/autoload.php';

    // The generator writes for Guzzle 6; Guzzle 7 has this function under another name.
    function build_query(array $parameters): string
    {
        return Query::build($parameters);
    }
}

namespace {
    use OpenAPI\Client\{Api\MarketApi, Api\NairaApi, ApiException, Configuration};

    [, $address, $folder] = $argv;
    error_reporting(E_ALL & ~E_DEPRECATED);
    spl_autoload_register(function (string $class) use ($folder) {
        $file = $folder . '/lib/' . strtr(substr($class, strlen('OpenAPI\Client\\')), '\\', '/') . '.php';
        if (is_file($file)) require $file;
    });
    foreach (glob("$folder/lib/{Api,Model}/*.php", GLOB_BRACE) as $file) require_once $file;

    $configuration = (new Configuration())->setHost($address);
    $market = new MarketApi(null, $configuration);
    $naira = (new NairaApi(null, $configuration))->getNaira()->getData();
    $first = $market->listCoins(1)->getData()->getCoins()[0]->getId();
    try {
        $market->getPrice('btc', 'ngn');
    } catch (ApiException $error) {
        $code = $error->getResponseObject()->getCode();
        $official = $naira->getOfficial() ?? 'null';
        echo "mid {$naira->getMid()} official $official first $first code $code\n";
    }
}
